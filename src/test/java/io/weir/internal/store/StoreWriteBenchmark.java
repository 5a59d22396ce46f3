package io.weir.internal.store;

import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.wire.BatchDecoder;
import io.weir.internal.wire.UndecodableException;
import io.weir.lab.bench.LoadForm;
import io.weir.lab.bench.LoadSample;
import io.weir.lab.bench.LoadShape;
import io.weir.reading.GatewayRules;
import io.weir.reading.Limits;
import io.weir.reading.ReadingColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.Uuid;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What a commit writes: the entries of all sensors with readings since the one before. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class StoreWriteBenchmark {
  private static final int BATCHES = 10;
  private static final int SENSORS = BATCHES * LoadSample.READINGS;
  private static final long START_MS = 1_600_000_000_000L;

  private final PartitionState state =
      new PartitionState(
          WindowSpec.of(10_000, 5_000, 0, 30_000, WindowSpec.IdleRule.ENDED, 86_400_000),
          GatewayRules.of(300_000),
          WindowLimits.ofSensors(1_000_000));
  private final List<ReadingColumns> batches = new ArrayList<>();
  private long appendMs = START_MS;
  private long written;

  @Setup
  public void batches() throws UndecodableException {
    for (byte[] batch : LoadSample.batches(LoadShape.WIDE, LoadForm.COLUMNAR, BATCHES, START_MS)) {
      batches.add(new BatchDecoder(Limits.DEFAULT).decode(batch));
    }
  }

  /** Every sensor has one more reading, a second later. */
  @Setup(Level.Invocation)
  public void hear() {
    for (ReadingColumns batch : batches) {
      state.windows().apply(batch, appendMs++, (sensor, window, reason) -> {});
      for (int i = 0; i < LoadSample.READINGS; i++) {
        batch.timestampsMs()[i] += 1_000;
      }
    }
    state.observe(appendMs, appendMs, Uuid.ZERO_UUID);
  }

  @Benchmark
  @OperationsPerInvocation(SENSORS)
  public long perSensor() {
    state.flush((key, value) -> written += key.length + value.length);
    return written;
  }
}
