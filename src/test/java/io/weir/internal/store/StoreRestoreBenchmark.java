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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Bytes;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What a start reads: the newest entries of sensors that sent once a second for five minutes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class StoreRestoreBenchmark {
  private static final int BATCHES = 10;
  private static final int SENSORS = BATCHES * LoadSample.READINGS;
  private static final int COMMITS = 300;
  private static final long START_MS = 1_600_000_000_000L;

  private final Map<Bytes, byte[]> newest = new LinkedHashMap<>();

  @Setup
  public void fiveMinutes() throws UndecodableException {
    PartitionState state = newState();
    ReadingColumns[] batches = new ReadingColumns[BATCHES];
    int decoded = 0;
    for (byte[] batch : LoadSample.batches(LoadShape.WIDE, LoadForm.COLUMNAR, BATCHES, START_MS)) {
      batches[decoded++] = new BatchDecoder(Limits.DEFAULT).decode(batch);
    }
    for (int commit = 0; commit < COMMITS; commit++) {
      long appendMs = START_MS + 1_000L * commit;
      for (ReadingColumns batch : batches) {
        state.windows().apply(batch, appendMs, (sensor, window, reason) -> {});
        for (int i = 0; i < batch.readings(); i++) {
          batch.timestampsMs()[i] += 1_000;
        }
      }
      state.observe(appendMs, commit, Uuid.ZERO_UUID);
      state.flush(this::put);
    }
  }

  private void put(byte[] key, byte[] value) {
    newest.remove(Bytes.wrap(key));
    if (value != null) {
      newest.put(Bytes.wrap(key), value);
    }
  }

  private static PartitionState newState() {
    return new PartitionState(
        WindowSpec.of(10_000, 5_000, 0, 30_000, WindowSpec.IdleRule.ENDED, 86_400_000),
        GatewayRules.of(300_000),
        WindowLimits.ofSensors(1_000_000));
  }

  @Benchmark
  @OperationsPerInvocation(SENSORS)
  public PartitionState perSensor() {
    PartitionState state = newState();
    newest.forEach((key, value) -> state.restore(key.get(), value));
    state.resume();
    return state;
  }
}
