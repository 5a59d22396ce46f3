package io.weir.inner;

import io.weir.internal.window.CloseReason;
import io.weir.internal.window.PartitionWindows;
import io.weir.internal.window.SensorWindows;
import io.weir.internal.window.StatisticsPlan;
import io.weir.internal.window.Window;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.internal.wire.BatchDecoder;
import io.weir.internal.wire.UndecodableException;
import io.weir.lab.bench.LoadForm;
import io.weir.lab.bench.LoadSample;
import io.weir.lab.bench.LoadShape;
import io.weir.reading.Limits;
import io.weir.reading.ReadingColumns;
import io.weir.reading.ReadingJudge;
import io.weir.summary.WindowSummaryEncoder;
import io.weir.topic.SensorPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What each set of statistics costs a reading: added, and its window emitted when it closes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class StatisticsBenchmark {
  private static final int BATCHES = 120;
  private static final long START_MS = 1_600_000_000_000L;
  private static final long SIZE_MS = 10_000;

  @Param({"NONE", "FIRST_LAST", "VARIANCE", "HISTOGRAM", "QUALITY", "INTEGRAL", "COUNTER"})
  private String set;

  private PartitionWindows windows;
  private final ReadingJudge judge = new ReadingJudge(0, SensorPartition.COUNT, 256, 300_000);
  private final List<ReadingColumns> batches = new ArrayList<>();
  private long cycleMs;
  private int next;
  private long appendMs = START_MS;
  private long bytes;

  @Setup
  public void batches() throws UndecodableException {
    Set<StatisticSet> sets = set.equals("NONE") ? Set.of() : Set.of(StatisticSet.valueOf(set));
    WindowSpec plain =
        WindowSpec.of(SIZE_MS, 5_000, 0, 30_000, WindowSpec.IdleRule.ENDED, 86_400_000);
    windows = new PartitionWindows(plain.with(StatisticsPlan.ofAll(sets)), WindowLimits.DEFAULT);
    for (byte[] batch : LoadSample.batches(LoadShape.DENSE, LoadForm.COLUMNAR, BATCHES, START_MS)) {
      ReadingColumns columns = new BatchDecoder(Limits.DEFAULT).decode(batch);
      judge.judge(columns, START_MS + 86_400_000);
      batches.add(columns);
    }
    ReadingColumns last = batches.get(BATCHES - 1);
    cycleMs = last.timestampMs(last.readings() - 1) - START_MS + LoadShape.DENSE.intervalMs();
  }

  private void emit(SensorWindows sensor, Window window, CloseReason reason) {
    bytes +=
        WindowSummaryEncoder.encode(sensor.id(), window, window.startMs() + SIZE_MS, reason).length;
  }

  /** The times of a batch are moved on after it, which costs a store a reading. */
  @Benchmark
  @OperationsPerInvocation(LoadSample.READINGS)
  public long aggregateAndEmitPerReading() {
    ReadingColumns batch = batches.get(next);
    next = (next + 1) % BATCHES;
    windows.recognise(batch);
    int late = windows.apply(batch, appendMs++, this::emit);
    windows.changes().clear();
    for (int i = 0; i < LoadSample.READINGS; i++) {
      batch.timestampsMs()[i] += cycleMs;
    }
    if (late > 0) {
      throw new IllegalStateException(late + " readings were late");
    }
    return bytes;
  }
}
