package io.weir.cli;

import io.weir.cli.plan.PlannedJobs;
import io.weir.cli.plan.PlannedJobs.EventLoad;
import io.weir.cli.plan.PlannedJobs.FoldLoad;
import io.weir.cli.plan.PlannedJobs.GroupLoad;
import io.weir.cli.plan.PlannedJobs.Hopping;
import io.weir.cli.plan.PlannedJobs.ImportLoad;
import io.weir.cli.plan.PlannedJobs.InputLoad;
import io.weir.cli.plan.PlannedJobs.Tables;
import io.weir.cli.plan.Publishing;
import io.weir.edge.PublisherBounds;
import io.weir.internal.time.DurationText;
import io.weir.internal.window.HoppingPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options of a plan for optional jobs and outputs; all are disabled by default. */
final class PlanJobOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--gateways",
      paramLabel = "N",
      description = "Gateways that share the readings (one for each 20,000/s).")
  private String gateways;

  @Option(
      names = "--flush-interval",
      paramLabel = "DURATION",
      description = "weir.flush.interval of the gateways (20ms).")
  private Duration flush = PublisherBounds.DEFAULT_FLUSH_INTERVAL;

  @Option(
      names = "--hopping",
      paramLabel = "DURATION",
      description = "weir.hopping, such as 5m (none).")
  private Duration hopping;

  @Option(
      names = "--hopping-sensors",
      paramLabel = "N",
      description = "Number of sensors that match weir.hopping.sensors (all).")
  private String hoppingSensors;

  @Option(names = "--status", description = "weir.status: the state of sensors.")
  private boolean status;

  @Option(
      names = "--events",
      paramLabel = "N/s",
      description = "Events a second on weir.events, including alarms: 2k/s.")
  private String events;

  @Option(
      names = "--scheduled",
      paramLabel = "N/s",
      description = "Events a second on weir.scheduled; as many become due.")
  private String scheduled;

  @Option(names = "--timers", paramLabel = "N", description = "Pending scheduled events: 1M.")
  private String timers;

  @Option(
      names = "--event-bytes",
      paramLabel = "BYTES",
      description = "Bytes of an event's message (140, three fields).")
  private String eventBytes = "140";

  @Option(
      names = "--fold-keys",
      paramLabel = "N",
      description = "weir.fold: number of keys with events.")
  private String foldKeys;

  @Option(names = "--fold-fields", paramLabel = "N", description = "Distinct fields of a fold (3).")
  private String foldFields = "3";

  @Option(names = "--fold-quiet", paramLabel = "DURATION", description = "weir.fold.quiet (5s).")
  private Duration foldQuiet = Duration.ofSeconds(5);

  @Option(
      names = "--fold-max-hold",
      paramLabel = "DURATION",
      description = "weir.fold.max.hold (1m).")
  private Duration foldHold = Duration.ofMinutes(1);

  @Option(names = "--groups", paramLabel = "N", description = "weir.groups: number of groups.")
  private String groups;

  @Option(
      names = "--groups-size",
      paramLabel = "DURATION",
      description = "weir.groups.size: --window, or one of --rollups (1m).")
  private Duration groupsSize = Duration.ofMinutes(1);

  @Option(names = "--groups-keep", paramLabel = "DURATION", description = "weir.groups.keep (1h).")
  private Duration groupsKeep = Duration.ofHours(1);

  @Option(names = "--events-pods", paramLabel = "N", description = "Pods of weir events (2).")
  private int eventsPods = 2;

  @Option(names = "--sink", description = "weir sink: all enabled topics into PostgreSQL.")
  private boolean sink;

  @Option(
      names = "--sink-retention",
      paramLabel = "DURATION",
      description = "weir.sink.retention, whole days (for ever).")
  private Duration sinkRetention;

  @Option(
      names = "--import",
      paramLabel = "N/s",
      description = "weir import: records a second on topics of other programs.")
  private String imported;

  @Option(
      names = "--import-partitions",
      paramLabel = "N",
      description = "Number of their partitions (1).")
  private int importPartitions = 1;

  @Option(names = "--import-pods", paramLabel = "N", description = "Pods of weir import (1).")
  private int importPods = 1;

  @Option(
      names = "--import-cpu",
      paramLabel = "MICROSECONDS",
      description = "CPU of a record, from weir bench --load import.")
  private double importMicros;

  @Option(
      names = "--repeat",
      paramLabel = "DURATION",
      description = "weir edge with inputs: longest time until a sender repeats a reading.")
  private Duration repeat;

  @Option(
      names = "--outage",
      paramLabel = "DURATION",
      description = "How long Kafka may be away until the spool of an edge is full (1h).")
  private Duration outage = Duration.ofHours(1);

  @Option(
      names = "--id-bytes",
      paramLabel = "BYTES",
      description = "Length of a sensor id in the spool of an edge (32).")
  private int idBytes = 32;

  /**
   * The planned jobs.
   *
   * @throws IllegalArgumentException in one line, if an option is invalid
   */
  PlannedJobs jobs(double sensors, Duration window, List<Duration> rollups) {
    PlanOptions.require(
        flush.toMillis() >= 0, "--flush-interval " + flush + ": expected: 0 or more");
    PlanOptions.require(sink || sinkRetention == null, "--sink-retention needs --sink");
    PlanOptions.require(
        hopping != null || hoppingSensors == null, "--hopping-sensors needs --hopping");
    PlanOptions.require(
        importPods >= 1 && importPods <= importPartitions,
        "--import-pods " + importPods + ": expected: 1 to --import-partitions");
    PlanOptions.require(idBytes >= 1 && idBytes <= 256, "--id-bytes: expected: 1 to 256");
    return new PlannedJobs(
        new Publishing(number("--gateways", gateways), flush.toMillis()),
        Optional.ofNullable(hopping).map(length -> hopping(length, sensors, window)),
        status,
        isEvents() ? Optional.of(events(sensors, window, rollups)) : Optional.empty(),
        sink
            ? Optional.of(
                new Tables(
                    sinkRetention == null ? Double.POSITIVE_INFINITY : sinkRetention.toMillis()))
            : Optional.empty(),
        Optional.ofNullable(imported)
            .map(
                records ->
                    new ImportLoad(
                        number("--import", records), importPartitions, importPods, importMicros)),
        Optional.ofNullable(repeat)
            .map(time -> new InputLoad(time.toMillis(), outage.toMillis(), idBytes)));
  }

  private Hopping hopping(Duration length, double sensors, Duration window) {
    try {
      HoppingPlan.of(window.toMillis(), length.toMillis(), List.of());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--hopping: " + e.getMessage(), e);
    }
    double some = hoppingSensors == null ? sensors : number("--hopping-sensors", hoppingSensors);
    return new Hopping(length.toMillis(), Math.min(sensors, some));
  }

  private boolean isEvents() {
    return events != null
        || scheduled != null
        || timers != null
        || foldKeys != null
        || groups != null;
  }

  private EventLoad events(double sensors, Duration window, List<Duration> rollups) {
    PlanOptions.require(
        eventsPods >= 1 && eventsPods <= 64, "--events-pods " + eventsPods + ": expected: 1 to 64");
    PlanOptions.require(
        foldKeys == null || events != null || scheduled != null,
        "--fold-keys needs --events or --scheduled");
    PlanOptions.require(
        groups == null || groupsSize.equals(window) || rollups.contains(groupsSize),
        "--groups-size "
            + DurationText.format(groupsSize)
            + ": expected: --window and those of --rollups");
    Optional<FoldLoad> folds =
        Optional.ofNullable(foldKeys)
            .map(
                keys ->
                    new FoldLoad(
                        number("--fold-keys", keys),
                        number("--fold-fields", foldFields),
                        foldQuiet.toMillis(),
                        foldHold.toMillis()));
    Optional<GroupLoad> groupLoad =
        Optional.ofNullable(groups)
            .map(
                n ->
                    new GroupLoad(
                        Math.min(sensors, number("--groups", n)),
                        groupsSize.toMillis(),
                        groupsKeep.toMillis()));
    return new EventLoad(
        number("--events", events),
        number("--scheduled", scheduled),
        number("--event-bytes", eventBytes),
        number("--timers", timers),
        folds,
        groupLoad,
        eventsPods);
  }

  /** 0 if the option is missing. */
  private double number(String option, String text) {
    return text == null ? 0 : PlanOptions.quantity(spec, option, text);
  }

  /** The settings of Weir among the options, as lines of the chart's config. */
  List<String> settings() {
    List<String> lines = new ArrayList<>();
    if (hopping != null) {
      lines.add("weir.hopping: " + DurationText.format(hopping));
      if (hoppingSensors != null) {
        lines.add(
            "# weir.hopping.sensors: prefixes of the ids of those " + hoppingSensors + " sensors");
      }
    }
    if (status) {
      lines.add("weir.status: true");
    }
    if (isEvents()) {
      lines.add("weir.events: true");
    }
    if (foldKeys != null) {
      lines.add("weir.fold: true");
      lines.add("weir.fold.quiet: " + DurationText.format(foldQuiet));
      lines.add("weir.fold.max.hold: " + DurationText.format(foldHold));
    }
    if (groups != null) {
      lines.add("weir.groups: true");
      lines.add("weir.groups.size: " + DurationText.format(groupsSize));
      lines.add("weir.groups.keep: " + DurationText.format(groupsKeep));
    }
    if (sink) {
      lines.add("weir.sink.jdbc.url: jdbc:postgresql://postgresql:5432/weir # yours");
      lines.add("weir.sink.jdbc.user: weir # yours; its password is in a Secret, sink.secrets");
    }
    if (sinkRetention != null) {
      lines.add("weir.sink.retention: " + DurationText.format(sinkRetention));
    }
    return lines;
  }
}
