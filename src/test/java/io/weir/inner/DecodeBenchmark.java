package io.weir.inner;

import io.weir.internal.wire.BatchDecoder;
import io.weir.internal.wire.UndecodableException;
import io.weir.lab.bench.LoadForm;
import io.weir.lab.bench.LoadSample;
import io.weir.lab.bench.LoadShape;
import io.weir.reading.Limits;
import io.weir.reading.ReadingColumns;
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

/** Bytes of a record to columns. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DecodeBenchmark {
  private static final int BATCHES = 256;

  @Param({"DENSE", "WIDE"})
  private LoadShape shape;

  @Param({"ROW", "COLUMNAR"})
  private LoadForm form;

  private final BatchDecoder decoder = new BatchDecoder(Limits.DEFAULT);
  private byte[][] batches;
  private int next;

  @Setup
  public void batches() {
    batches = LoadSample.batches(shape, form, BATCHES, 1_600_000_000_000L).toArray(byte[][]::new);
  }

  @Benchmark
  @OperationsPerInvocation(LoadSample.READINGS)
  public ReadingColumns perReading() throws UndecodableException {
    next = (next + 1) % BATCHES;
    return decoder.decode(batches[next]);
  }
}
