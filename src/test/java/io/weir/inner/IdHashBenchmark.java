package io.weir.inner;

import io.weir.lab.bench.LoadSample;
import io.weir.lab.bench.LoadShape;
import io.weir.reading.IdBytes;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The hash by which a sensor is found. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class IdHashBenchmark {
  private final byte[][] ids =
      LoadSample.sensors(LoadShape.DENSE).stream()
          .map(id -> id.getBytes(StandardCharsets.UTF_8))
          .toArray(byte[][]::new);
  private int next;

  @Benchmark
  public int perId() {
    next = (next + 1) % ids.length;
    return IdBytes.hash(ids[next], 0, ids[next].length);
  }
}
