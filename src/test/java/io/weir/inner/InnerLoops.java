package io.weir.inner;

import io.weir.internal.wire.UndecodableException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Measures the inner loops with JMH and shows time and allocation of each, in one table. */
public final class InnerLoops {
  private static final String ROW = "%-44s %-24s %14s %14s";

  private InnerLoops() {}

  /**
   * @param args a regular expression over class and method; JMH's progress goes to standard output.
   *     HotCost instead compares two loops in one process
   */
  public static void main(String[] args) throws RunnerException, UndecodableException {
    if (args.length > 0 && args[0].equals("HotCost")) {
      HotCost.print();
      return;
    }
    Options options =
        new OptionsBuilder()
            .include(args.length == 0 ? ".*" : args[0])
            .forks(1)
            .warmupIterations(4)
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(5)
            .measurementTime(TimeValue.seconds(1))
            .shouldFailOnError(true)
            .jvmArgsAppend("-Xmx1g", "-Xms1g")
            .addProfiler(GCProfiler.class)
            .build();
    table(new Runner(options).run()).forEach(System.out::println);
  }

  private static List<String> table(Collection<RunResult> results) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(String.format(ROW, "inner loop", "", "ns each", "B each"));
    for (RunResult result : results) {
      List<String> parameters = new ArrayList<>();
      for (String key : result.getParams().getParamsKeys()) {
        parameters.add(result.getParams().getParam(key));
      }
      Result<?> time = result.getPrimaryResult();
      Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
      lines.add(
          String.format(
              ROW,
              shortName(result.getParams().getBenchmark()),
              String.join(" ", parameters),
              String.format(Locale.ROOT, "%.2f ± %.2f", time.getScore(), time.getScoreError()),
              String.format(Locale.ROOT, "%.2f", allocated.getScore())));
    }
    lines.add(
        "each: of one reading, sensor, id or offer, as the name of the loop says; where every round"
            + " is prepared (StoreWrite, Offer), the bytes are those of the preparation as well");
    return lines;
  }

  private static String shortName(String benchmark) {
    String ofClass =
        benchmark.substring(benchmark.lastIndexOf('.', benchmark.lastIndexOf('.') - 1) + 1);
    return ofClass.replace("Benchmark", "");
  }
}
