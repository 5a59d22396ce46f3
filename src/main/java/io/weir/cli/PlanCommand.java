package io.weir.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.cli.output.Results;
import io.weir.cli.pages.Exposition;
import io.weir.cli.pages.Processes;
import io.weir.cli.plan.BenchFigures;
import io.weir.cli.plan.LiveFigures;
import io.weir.cli.plan.Plan;
import io.weir.cli.plan.PlanFigures;
import io.weir.cli.plan.PlanInput;
import io.weir.cli.plan.PlanText;
import io.weir.cli.plan.PlanValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir plan}: estimates the resources that a load needs. */
@Command(
    name = "plan",
    description =
        "Calculate threads, pods, memory, topics and brokers for a load, without a cluster.",
    footer = {
      "",
      "Prints the calculation of every number and the sources of its figures:",
      "docs/operate/size.md. The default figures were measured on other machines; --bench uses",
      "yours, from",
      "  weir bench --load dense_row,wide_row,fleet --rounds 1 --json figures.json",
      "and --live measures rate, sensors and readings a processor second of a running release.",
      "Exit status: 1 if the load needs more than 64 partitions; the remedies are printed.",
      "",
      "Examples:",
      "  weir plan --rate 20k/s --sensors 20k",
      "  weir plan --rate 2M/s --sensors 500k --period 1s --brokers 6 --values values.yaml",
      "  weir plan --live http://weir:8080 --json"
    })
final class PlanCommand implements Callable<Integer> {
  private final Results out;

  @Spec private CommandSpec spec;

  @Option(names = "--rate", paramLabel = "N/s", description = "Readings a second: 2M/s, 500k.")
  private String rate;

  @Option(names = "--sensors", paramLabel = "N", description = "Number of sensors: 500k.")
  private String sensors;

  @Option(
      names = "--bench",
      paramLabel = "FILE",
      description = "Your own figures, from weir bench --json FILE.")
  private Path bench;

  @Option(
      names = "--live",
      paramLabel = "URL",
      split = ",",
      description = "Rate, sensors and processor time of a running release, over ten seconds.")
  private List<String> live = List.of();

  @Mixin private PlanOptions options;

  @Option(
      names = "--values",
      paramLabel = "FILE",
      description = "Write a values file for the chart.")
  private Path values;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  PlanCommand() {
    this(Results.standard());
  }

  /** Writes its results to {@code out}. */
  PlanCommand(Results out) {
    this.out = out;
  }

  @Override
  public Integer call() throws IOException {
    if (live.isEmpty() && (rate == null || sensors == null)) {
      throw wrong("expected: --rate and --sensors, or --live");
    }
    PlanFigures figures = PlanFigures.DEFAULT;
    if (bench != null) {
      figures = BenchFigures.of(parsed(bench), bench.getFileName().toString(), figures);
    }
    double perSecond = rate == null ? 0 : quantity("--rate", rate);
    double count = sensors == null ? 0 : quantity("--sensors", sensors);
    if (!live.isEmpty()) {
      LiveFigures seen = look();
      figures = seen.over(figures, String.join(",", live));
      perSecond = rate == null ? seen.rate() : perSecond;
      count = sensors == null ? seen.sensors() : count;
    }
    Plan plan = new Plan(input(perSecond, count), figures);
    if (json) {
      out.line(PlanText.json(plan));
    } else {
      PlanText.lines(plan).forEach(out::line);
    }
    out.flush();
    if (plan.isBeyond()) {
      PlanText.beyond(plan).forEach(spec.commandLine().getErr()::println);
      return Failures.FAILED;
    }
    if (values != null) {
      Files.write(values, PlanValues.yaml(plan, options.settings()));
    }
    return 0;
  }

  private PlanInput input(double perSecond, double count) {
    try {
      return options.input(perSecond, count);
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage());
    }
  }

  private static JsonNode parsed(Path file) throws IOException {
    try {
      JsonNode tree = new ObjectMapper().readTree(Files.readString(file));
      if (tree.has("results")) {
        return tree;
      }
    } catch (com.fasterxml.jackson.core.JacksonException e) {
      throw new IOException("--bench " + file + " is not a file of weir bench --json", e);
    }
    throw new IOException("--bench " + file + " is not a file of weir bench --json");
  }

  private LiveFigures look() throws IOException {
    Processes processes = new Processes(live);
    StopSignal stop = StopSignal.install(() -> {});
    List<Exposition> before = pages(processes);
    long fromNanos = System.nanoTime();
    stop.await(Duration.ofSeconds(10));
    List<Exposition> after = pages(processes);
    return LiveFigures.of(before, after, (System.nanoTime() - fromNanos) / 1e9);
  }

  private static List<Exposition> pages(Processes processes) throws IOException {
    List<Exposition> pages = new ArrayList<>();
    for (Processes.Fetched page : processes.get("/metrics")) {
      pages.add(new Exposition(page.text()));
    }
    return pages;
  }

  private double quantity(String option, String text) {
    return PlanOptions.quantity(spec, option, text);
  }

  private ParameterException wrong(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
