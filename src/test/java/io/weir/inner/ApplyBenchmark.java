package io.weir.inner;

import io.weir.internal.window.PartitionWindows;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.wire.BatchDecoder;
import io.weir.internal.wire.UndecodableException;
import io.weir.lab.bench.LoadForm;
import io.weir.lab.bench.LoadSample;
import io.weir.lab.bench.LoadShape;
import io.weir.reading.Limits;
import io.weir.reading.ReadingColumns;
import io.weir.reading.ReadingJudge;
import io.weir.topic.SensorPartition;
import java.util.ArrayList;
import java.util.List;
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

/** What is done with decoded columns: judged, and aggregated into windows that close in time. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ApplyBenchmark {
  private static final int BATCHES = 120;
  private static final long START_MS = 1_600_000_000_000L;

  @Param({"DENSE", "WIDE"})
  private LoadShape shape;

  private final WindowSpec spec =
      WindowSpec.of(10_000, 5_000, 0, 30_000, WindowSpec.IdleRule.ENDED, 86_400_000);
  private final PartitionWindows windows = new PartitionWindows(spec, WindowLimits.DEFAULT);
  private final ReadingJudge judge = new ReadingJudge(0, SensorPartition.COUNT, 256, 300_000);
  private final List<ReadingColumns> batches = new ArrayList<>();
  private long cycleMs;
  private int next;
  private long appendMs = START_MS;
  private long emitted;

  @Setup
  public void batches() throws UndecodableException {
    for (byte[] batch : LoadSample.batches(shape, LoadForm.COLUMNAR, BATCHES, START_MS)) {
      batches.add(new BatchDecoder(Limits.DEFAULT).decode(batch));
    }
    ReadingColumns last = batches.get(BATCHES - 1);
    cycleMs = last.timestampMs(last.readings() - 1) - START_MS + shape.intervalMs();
  }

  @Benchmark
  @OperationsPerInvocation(LoadSample.READINGS)
  public int judgePerReading() {
    next = (next + 1) % BATCHES;
    return judge.judge(batches.get(next), appendMs + cycleMs);
  }

  /** The times of a batch are moved on after it, which costs a store a reading. */
  @Benchmark
  @OperationsPerInvocation(LoadSample.READINGS)
  public int aggregatePerReading() {
    ReadingColumns batch = batches.get(next);
    next = (next + 1) % BATCHES;
    windows.recognise(batch);
    int late = windows.apply(batch, appendMs++, (sensor, window, reason) -> emitted++);
    for (int i = 0; i < LoadSample.READINGS; i++) {
      batch.timestampsMs()[i] += cycleMs;
    }
    if (late > 0) {
      throw new IllegalStateException(late + " readings were late");
    }
    return late;
  }
}
