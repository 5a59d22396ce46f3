package io.weir.ops;

import java.util.List;

/**
 * What {@code weir run} makes of readings: what came of them, windows, rollups, status, alarms,
 * gateways.
 */
public enum RunMetric implements Metric {
  READINGS(
      "weir.readings",
      Kind.COUNTER,
      "readings",
      List.of("outcome", "reason"),
      "readings by what became of them: aggregated, late (those withheld with the reason WITHHELD),"
          + " duplicate, or rejected with its reason"),
  BATCHES(
      "weir.batches",
      Kind.COUNTER,
      "batches",
      List.of(),
      "batches that were decoded, whatever became of them"),
  UNDECODABLE(
      "weir.records.undecodable",
      Kind.COUNTER,
      "records",
      List.of("reason"),
      "records that cannot be decoded as batches; the number of their readings is unknown"),
  BATCHES_UNSIGNED(
      "weir.batches.unsigned",
      Kind.COUNTER,
      "batches",
      List.of(),
      "batches without signature that were accepted, with weir.signing=verify: 0 before it is set"
          + " to require"),
  GATEWAYS_FILE_VERSIONS(
      "weir.gateways.file.versions",
      Kind.COUNTER,
      "versions",
      List.of("outcome"),
      "versions of weir.gateways.file that were seen: accepted, or refused while the one before holds"
          + " on"),
  GATEWAYS_FILE_REFUSED(
      "weir.gateways.file.refused",
      Kind.GAUGE,
      "1 or 0",
      List.of(),
      "1 while weir.gateways.file cannot be used as it is, and an earlier version holds"),
  WINDOWS(
      "weir.windows",
      Kind.COUNTER,
      "summaries",
      List.of("reason"),
      "summaries emitted, by close reason: event_time, idle, amended, complete"),
  WINDOWS_WITHHELD(
      "weir.windows.withheld",
      Kind.COUNTER,
      "windows",
      List.of(),
      "windows that are not emitted since they may lack readings that were deleted before they were"
          + " read; their readings are on the topic of late ones"),
  DELETED_UNREAD(
      "weir.records.deleted.unread",
      Kind.COUNTER,
      "records",
      List.of(),
      "records that were deleted before they were read, of readings or of what weir events and"
          + " handlers read, counted as offsets; at a first start, all that came before the topic's"
          + " first record"),
  ATTESTATIONS_IGNORED(
      "weir.attestations.ignored",
      Kind.COUNTER,
      "attestations",
      List.of("cause"),
      "what gateways said about completeness and was not acted on: gap (a batch before it is"
          + " missing), unsequenced, redriven, invalid, future, misrouted, not_its_sensor,"
          + " unknown_sensor"),
  ATTESTATIONS_BROKEN(
      "weir.attestations.broken",
      Kind.COUNTER,
      "readings",
      List.of(),
      "late readings for windows of which a gateway had said that they are complete; they are"
          + " among the late ones"),
  SAMPLES_OVERFLOWED(
      "weir.samples.overflowed",
      Kind.COUNTER,
      "summaries",
      List.of(),
      "summaries, of windows and of longer spans, emitted without integral, increase and resets, though"
          + " these are switched on: a window has more readings than weir.samples.max"),
  ROLLUPS(
      "weir.rollups",
      Kind.COUNTER,
      "summaries",
      List.of("reason"),
      "summaries of rollups emitted, by close reason: event_time, idle, amended, complete"),
  ROLLUPS_LEFT_OUT(
      "weir.rollups.left.out",
      Kind.COUNTER,
      "rollups",
      List.of("what"),
      "rollups that were not emitted (rollup), or not with all statistics (statistics), since what"
          + " came before rollups or statistics were switched on is not in them"),
  HOPPING(
      "weir.hopping",
      Kind.COUNTER,
      "summaries",
      List.of("reason"),
      "summaries of hopping windows emitted, by close reason: event_time, idle, amended, complete"),
  HOPPING_LEFT_OUT(
      "weir.hopping.left.out",
      Kind.COUNTER,
      "windows",
      List.of("what"),
      "hopping windows that were not emitted (window), or not with all statistics (statistics),"
          + " since what came before they or statistics were switched on is not in them"),
  STATUS(
      "weir.status",
      Kind.COUNTER,
      "records",
      List.of("state"),
      "records of sensors' status that were written, by state: started, silent, resumed, finished"),
  SENSORS_BY_STATE(
      "weir.sensors.by.state",
      Kind.GAUGE,
      "sensors",
      List.of("state"),
      "sensors in each state, where status or rules are on: started, silent, resumed, finished"),
  ALARMS(
      "weir.alarms",
      Kind.COUNTER,
      "turns",
      List.of("priority", "turn"),
      "alarms that became active and that cleared, by priority, 0 being the most urgent"),
  ALARMS_ACTIVE(
      "weir.alarms.active",
      Kind.GAUGE,
      "alarms",
      List.of("priority"),
      "alarms that are active, by priority, 0 being the most urgent"),
  WATERMARK_LAG(
      "weir.watermark.lag",
      Kind.HISTOGRAM,
      "seconds",
      List.of(),
      "for each batch, its append time minus the newest event time of its sensors; 0 if that is"
          + " ahead"),
  APPEND_TIME_BACK(
      "weir.append.time.back",
      Kind.COUNTER,
      "records",
      List.of(),
      "records whose append time is behind that of the record before them in their partition: the"
          + " clocks of its leaders differ"),
  BATCHES_LOST(
      "weir.batches.lost",
      Kind.GAUGE,
      "batches",
      List.of("gateway"),
      "batches that gateways skipped, that have not come and still may: the gateways that lack"
          + " most by name, the others summed as "
          + LostBatches.REST),
  BATCHES_LOST_FOR_GOOD(
      "weir.batches.lost.for.good",
      Kind.COUNTER,
      "batches",
      List.of(),
      "batches that gateways skipped and that did not come before they were forgotten"),
  GATEWAY_RESETS(
      "weir.gateway.resets",
      Kind.COUNTER,
      "resets",
      List.of(),
      "gateways whose sequences were cleared in a partition of this process; 64 in all processes"
          + " together for each weir gateway reset"),
  OPEN_WINDOWS(
      "weir.windows.open",
      Kind.GAUGE,
      "windows",
      List.of(),
      "windows in the state: open, or closed and kept for late readings; counted every 30 s"),
  SENSORS(
      "weir.sensors",
      Kind.GAUGE,
      "sensors",
      List.of(),
      "sensors in the state, marks of forgotten ones included"),
  CAP_USED(
      "weir.cap.used",
      Kind.GAUGE,
      "0 to 1",
      List.of("cap"),
      "how much of max_sensors, max_gateways and max_sensors_per_gateway is used in this process's"
          + " fullest partition; at 1 new ones are refused; counted every 30 s"),
  HOT_SHARE(
      "weir.hot.share",
      Kind.GAUGE,
      "0 to 1",
      List.of("partition"),
      "the part of a partition's readings that its heaviest sensor gave in the last whole minute of"
          + " log time; /hot and weir hot name it"),
  BUILD("weir.build.info", Kind.INFO, "1", List.of("version", "revision"), "what is running");

  private final MetricSpec spec;

  RunMetric(String meterName, Kind kind, String unit, List<String> labels, String meaning) {
    this.spec = new MetricSpec(meterName, kind, unit, labels, meaning);
  }

  @Override
  public MetricSpec spec() {
    return spec;
  }
}
