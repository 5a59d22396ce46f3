package io.weir.cli;

import io.weir.cli.plan.PlanInput;
import io.weir.cli.plan.Quantity;
import io.weir.cli.plan.StatisticsCost;
import io.weir.internal.time.DurationText;
import io.weir.internal.window.aggregate.StatisticSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Settings of Weir and Kafka for a plan, with the defaults of both. */
final class PlanOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--period",
      paramLabel = "DURATION",
      description = {
        "Interval between sends of a sensor; a send may have several readings (one send for each",
        "reading)."
      })
  private Duration period;

  @Option(names = "--window", paramLabel = "DURATION", description = "weir.window.size (10s).")
  private Duration window = Duration.ofSeconds(10);

  @Option(
      names = "--lateness",
      paramLabel = "DURATION",
      description = "weir.allowed.lateness (0s).")
  private Duration lateness = Duration.ZERO;

  @Option(
      names = "--rollups",
      paramLabel = "SIZE",
      split = ",",
      description = "weir.rollups (none).")
  private List<Duration> rollups = List.of();

  @Option(
      names = "--statistics",
      paramLabel = "SET",
      split = ",",
      description = "weir.statistics, such as first_last,histogram (none).")
  private List<String> statistics = List.of();

  @Option(
      names = "--commit-interval",
      paramLabel = "DURATION",
      description = "kafka.commit.interval.ms (2s).")
  private Duration commit = Duration.ofSeconds(2);

  @Option(
      names = "--retention",
      paramLabel = "DURATION",
      description = "weir.topic.readings.retention (72h).")
  private Duration retention = Duration.ofHours(72);

  @Option(
      names = "--retention-bytes",
      paramLabel = "BYTES",
      description = "weir.topic.readings.retention.bytes, of a partition (8388608000).")
  private String retentionBytes = "8388608000";

  @Option(
      names = "--windows-retention",
      paramLabel = "DURATION",
      description = "weir.topic.windows.retention (30d).")
  private Duration windowsRetention = Duration.ofDays(30);

  @Option(
      names = "--windows-retention-bytes",
      paramLabel = "BYTES",
      description = "weir.topic.windows.retention.bytes, of a partition (8388608000).")
  private String windowsRetentionBytes = "8388608000";

  @Option(names = "--replicas", paramLabel = "N", description = "Replicas of each topic (3).")
  private int replicas = 3;

  @Option(names = "--brokers", paramLabel = "N", description = "Brokers in the cluster (3).")
  private int brokers = 3;

  @Option(names = "--standbys", paramLabel = "N", description = "kafka.num.standby.replicas (0).")
  private int standbys;

  @Option(
      names = "--session-timeout",
      paramLabel = "DURATION",
      description = "kafka.consumer.session.timeout.ms (2m, the chart's).")
  private Duration session = Duration.ofMinutes(2);

  @Option(names = "--threads", paramLabel = "N", description = "weir.threads of a pod (2).")
  private int threads = 2;

  @Option(
      names = "--memory",
      paramLabel = "BYTES",
      description = "Maximum memory of a pod: 4Gi. The plan uses smaller limits if they suffice.")
  private String memory = "4Gi";

  @Option(names = "--pods", paramLabel = "N", description = "Number of pods (as many as needed).")
  private int pods;

  @Mixin private PlanJobOptions jobs;

  /**
   * The input of a plan.
   *
   * @throws IllegalArgumentException in one line, if an option is invalid
   */
  PlanInput input(double rate, double sensors) {
    require(threads >= 1 && threads <= 64, "--threads " + threads + ": expected: 1 to 64");
    require(pods >= 0 && pods <= 64, "--pods " + pods + ": expected: 1 to 64");
    require(standbys >= 0 && standbys <= 3, "--standbys " + standbys + ": expected: 0 to 3");
    require(window.toMillis() >= 1, "--window " + window + ": expected: 1ms or more");
    return new PlanInput(
        rate,
        sensors,
        period == null ? 1000 * sensors / rate : period.toMillis(),
        window.toMillis(),
        lateness.toMillis(),
        rollups.stream().map(Duration::toMillis).toList(),
        StatisticsCost.of(sets(), rate / sensors * window.toMillis() / 1000),
        Math.max(1, commit.toMillis()),
        retention.toMillis(),
        quantity(spec, "--retention-bytes", retentionBytes),
        windowsRetention.toMillis(),
        quantity(spec, "--windows-retention-bytes", windowsRetentionBytes),
        replicas,
        brokers,
        standbys,
        session.toMillis(),
        threads,
        quantity(spec, "--memory", memory),
        pods,
        jobs.jobs(sensors, window, rollups));
  }

  /** Throws with this message unless allowed. */
  static void require(boolean allowed, String otherwise) {
    if (!allowed) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  private Set<StatisticSet> sets() {
    Set<StatisticSet> sets = EnumSet.noneOf(StatisticSet.class);
    for (String word : statistics) {
      sets.add(
          EnumSet.allOf(StatisticSet.class).stream()
              .filter(set -> set.text().equals(word))
              .findFirst()
              .orElseThrow(
                  () -> new IllegalArgumentException("--statistics " + word + ": " + allowed())));
    }
    return sets;
  }

  private static String allowed() {
    return "expected: "
        + String.join(
            ", ", EnumSet.allOf(StatisticSet.class).stream().map(StatisticSet::text).toList());
  }

  static double quantity(CommandSpec spec, String option, String text) {
    try {
      return Quantity.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(),
          option + " " + text + ": expected: a number such as 20k, 2M or 4Gi",
          e);
    }
  }

  /** The settings of Weir among the options, as lines of the chart's config. */
  List<String> settings() {
    List<String> lines = new ArrayList<>();
    lines.add("weir.window.size: " + DurationText.format(window));
    lines.add("weir.allowed.lateness: " + DurationText.format(lateness));
    lines.add("weir.topic.readings.retention: " + DurationText.format(retention));
    lines.add("weir.topic.windows.retention: " + DurationText.format(windowsRetention));
    if (!rollups.isEmpty()) {
      lines.add(
          "weir.rollups: " + String.join(",", rollups.stream().map(DurationText::format).toList()));
    }
    if (!statistics.isEmpty()) {
      lines.add("weir.statistics: " + String.join(",", statistics));
    }
    lines.addAll(jobs.settings());
    return lines;
  }
}
