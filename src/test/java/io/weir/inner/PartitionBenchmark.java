package io.weir.inner;

import io.weir.lab.bench.LoadSample;
import io.weir.lab.bench.LoadShape;
import io.weir.reading.Fnv1a;
import io.weir.topic.SensorPartition;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The partition of a sensor, by the bytes of its id as the topology does, and by its text. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PartitionBenchmark {
  private final String[] ids = LoadSample.sensors(LoadShape.DENSE).toArray(String[]::new);
  private final byte[][] bytes = new byte[ids.length][];
  private int next;

  public PartitionBenchmark() {
    for (int i = 0; i < ids.length; i++) {
      bytes[i] = ids[i].getBytes(StandardCharsets.UTF_8);
    }
  }

  @Benchmark
  public int ofBytesPerId() {
    next = (next + 1) % ids.length;
    return SensorPartition.ofHash(Fnv1a.hash(bytes[next], 0, bytes[next].length));
  }

  @Benchmark
  public int ofTextPerId() {
    next = (next + 1) % ids.length;
    return SensorPartition.of(ids[next]);
  }
}
