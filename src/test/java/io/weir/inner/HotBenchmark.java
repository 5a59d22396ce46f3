package io.weir.inner;

import io.weir.internal.hot.CountedByMinute;
import io.weir.internal.hot.HotList;
import io.weir.lab.bench.LoadSample;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What it costs to know which sensors send most: a batch's counts of its sensors and of its
 * gateway, with the look at each minute that has ended. To be compared with what {@link
 * DecodeBenchmark} and {@link ApplyBenchmark} say of the dense load.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HotBenchmark {
  private static final int BATCHES_A_MINUTE = 1_000;
  private static final long BATCH_MS = 60_000 / BATCHES_A_MINUTE;

  /** How many readings of a sensor follow one another in a batch: dense, and wide. */
  @Param({"6", "1"})
  private int readingsInARun;

  /** Of a partition: 10,000 in all where a batch has six of each, a million where it has one. */
  private final List<CountedByMinute> sensors = new ArrayList<>();

  private final HotList<CountedByMinute> list = new HotList<>();
  private final HotList<CountedByMinute> gateways = new HotList<>();
  private final CountedByMinute gateway = weighed("line-7");
  private long logMs;
  private int next;

  private static CountedByMinute weighed(String name) {
    return new CountedByMinute() {
      @Override
      public String name() {
        return name;
      }
    };
  }

  @Setup
  public void sensors() {
    int count = readingsInARun == 1 ? 1_000_000 / 64 : 10_000 / 64;
    IntStream.range(0, count).forEach(i -> sensors.add(weighed("sensor-" + i)));
  }

  @Benchmark
  @OperationsPerInvocation(LoadSample.READINGS)
  public long countPerReading() {
    logMs += BATCH_MS;
    gateways.observe(logMs);
    gateways.add(gateway, LoadSample.READINGS);
    long heaviest = 0;
    if (list.observe(logMs)) {
      list.look(Integer.MAX_VALUE);
      heaviest = list.take().get(0).readings();
    }
    for (int i = 0; i < LoadSample.READINGS; i += readingsInARun) {
      next = next + 1 == sensors.size() ? 0 : next + 1;
      list.add(sensors.get(next), readingsInARun);
    }
    return heaviest;
  }
}
