package io.weir.internal.ops;

import java.util.List;

/** Metrics of {@code weir run}: readings, windows, rollups, status, alarms, gateways. */
public enum RunMetric implements Metric {
  READINGS(
      "weir.readings",
      Kind.COUNTER,
      "readings",
      List.of("outcome", "reason"),
      "readings by outcome: aggregated, late (withheld ones have the reason WITHHELD),"
          + " duplicate, or rejected with the reason"),
  BATCHES("weir.batches", Kind.COUNTER, "batches", List.of(), "decoded batches, with any outcome"),
  UNDECODABLE(
      "weir.records.undecodable",
      Kind.COUNTER,
      "records",
      List.of("reason"),
      "records that are not valid batches; the number of their readings is unknown"),
  BATCHES_UNSIGNED(
      "weir.batches.unsigned",
      Kind.COUNTER,
      "batches",
      List.of(),
      "accepted batches without a signature, with weir.signing=verify; must be 0 before you"
          + " set require"),
  GATEWAYS_FILE_VERSIONS(
      "weir.gateways.file.versions",
      Kind.COUNTER,
      "versions",
      List.of("outcome"),
      "versions of weir.gateways.file that were loaded: accepted, or refused (the version"
          + " before stays active)"),
  GATEWAYS_FILE_REFUSED(
      "weir.gateways.file.refused",
      Kind.GAUGE,
      "1 or 0",
      List.of(),
      "1 while weir.gateways.file is invalid and an earlier version is active"),
  WINDOWS(
      "weir.windows",
      Kind.COUNTER,
      "summaries",
      List.of("reason"),
      "emitted summaries by close reason: event_time, idle, amended, complete"),
  WINDOWS_WITHHELD(
      "weir.windows.withheld",
      Kind.COUNTER,
      "windows",
      List.of("reason"),
      "windows that are not emitted. deleted: Kafka may have deleted some of their readings before"
          + " Weir read them; the other readings are on the late topic. published: accept-loss did"
          + " not emit them, because their newest record has as many readings"),
  DELETED_UNREAD(
      "weir.records.deleted.unread",
      Kind.COUNTER,
      "records",
      List.of(),
      "records deleted before weir run, weir events or a handler read them, counted as"
          + " offsets; at the first start, all offsets before the first record of the topic"),
  ATTESTATIONS_IGNORED(
      "weir.attestations.ignored",
      Kind.COUNTER,
      "attestations",
      List.of("cause"),
      "completeness attestations that were ignored, by cause: gap (an earlier batch is"
          + " missing), unsequenced, redriven, invalid, future, misrouted, not_its_sensor,"
          + " unknown_sensor"),
  ATTESTATIONS_BROKEN(
      "weir.attestations.broken",
      Kind.COUNTER,
      "readings",
      List.of(),
      "late readings of windows that a gateway had attested as complete; they are counted as"
          + " late too"),
  SAMPLES_OVERFLOWED(
      "weir.samples.overflowed",
      Kind.COUNTER,
      "summaries",
      List.of(),
      "summaries (rollups included) without integral, increase and resets because a window"
          + " has more than weir.samples.max readings, or found no room for them"),
  ROLLUPS(
      "weir.rollups",
      Kind.COUNTER,
      "summaries",
      List.of("reason"),
      "emitted rollups by close reason: event_time, idle, amended, complete"),
  ROLLUPS_LEFT_OUT(
      "weir.rollups.left.out",
      Kind.COUNTER,
      "rollups",
      List.of("what"),
      "rollups that were not emitted (rollup) or lack statistics (statistics) because they"
          + " began before the feature was enabled"),
  HOPPING(
      "weir.hopping",
      Kind.COUNTER,
      "summaries",
      List.of("reason"),
      "emitted hopping windows by close reason: event_time, idle, amended, complete"),
  HOPPING_LEFT_OUT(
      "weir.hopping.left.out",
      Kind.COUNTER,
      "windows",
      List.of("what"),
      "hopping windows that were not emitted (window) or lack statistics (statistics)"
          + " because they began before the feature was enabled"),
  STATUS(
      "weir.status",
      Kind.COUNTER,
      "records",
      List.of("state"),
      "status records written, by state: started, silent, resumed, finished"),
  SENSORS_BY_STATE(
      "weir.sensors.by.state",
      Kind.GAUGE,
      "sensors",
      List.of("state"),
      "sensors by state, with status or rules enabled: started, silent, resumed, finished"),
  ALARMS(
      "weir.alarms",
      Kind.COUNTER,
      "turns",
      List.of("priority", "turn"),
      "alarms that became active or cleared, by priority (0 is the most urgent)"),
  ALARMS_ACTIVE(
      "weir.alarms.active",
      Kind.GAUGE,
      "alarms",
      List.of("priority"),
      "active alarms by priority (0 is the most urgent)"),
  WATERMARK_LAG(
      "weir.watermark.lag",
      Kind.HISTOGRAM,
      "seconds",
      List.of(),
      "append time of each batch minus the newest event time of its sensors; 0 if the event"
          + " time is ahead"),
  APPEND_TIME_BACK(
      "weir.append.time.back",
      Kind.COUNTER,
      "records",
      List.of(),
      "records with an append time before that of the previous record in the partition: the"
          + " clocks of the brokers differ"),
  BATCHES_LOST(
      "weir.batches.lost",
      Kind.GAUGE,
      "batches",
      List.of("gateway"),
      "batches that gateways skipped and that may still arrive; the gateways with the most"
          + " by name, the sum of the others as "
          + LostBatches.REST),
  BATCHES_LOST_FOR_GOOD(
      "weir.batches.lost.for.good",
      Kind.COUNTER,
      "batches",
      List.of(),
      "batches that gateways skipped and that can no longer be accepted"),
  GATEWAY_RESETS(
      "weir.gateway.resets",
      Kind.COUNTER,
      "resets",
      List.of(),
      "gateway resets carried out in partitions of this process; each weir gateway reset"
          + " counts 64 in all processes together"),
  OPEN_WINDOWS(
      "weir.windows.open",
      Kind.GAUGE,
      "windows",
      List.of(),
      "windows in the state: open, or closed and kept for late readings; updated every 30 s"),
  SENSORS(
      "weir.sensors",
      Kind.GAUGE,
      "sensors",
      List.of(),
      "sensors in the state, including expired sensors whose close time is retained"),
  CAP_USED(
      "weir.cap.used",
      Kind.GAUGE,
      "0 to 1",
      List.of("cap"),
      "used share of max_sensors, max_gateways and max_sensors_per_gateway in the fullest"
          + " partition of this process; at 1 new ones are refused; updated every 30 s"),
  HOT_SHARE(
      "weir.hot.share",
      Kind.GAUGE,
      "0 to 1",
      List.of("partition"),
      "share of the heaviest sensor in the readings of a partition in the last full minute"
          + " of log time; /hot and weir hot name the sensor"),
  CERTIFICATE_EXPIRES(
      "weir.certificate.expires",
      Kind.GAUGE,
      "seconds",
      List.of("use"),
      "time until a certificate of the Kafka clients expires, as loaded at the start: kafka-key"
          + " (the first of the own chain) or kafka-trust (the last that is trusted); in every"
          + " process with TLS"),
  BUILD(
      "weir.build.info",
      Kind.INFO,
      "1",
      List.of("version", "revision"),
      "version and revision of the process");

  private final MetricSpec spec;

  RunMetric(String meterName, Kind kind, String unit, List<String> labels, String meaning) {
    this.spec = new MetricSpec(meterName, kind, unit, labels, meaning);
  }

  @Override
  public MetricSpec spec() {
    return spec;
  }
}
