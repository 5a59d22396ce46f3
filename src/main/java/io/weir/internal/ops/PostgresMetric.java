package io.weir.internal.ops;

import java.util.List;

/**
 * Metrics of the transfer between Kafka and PostgreSQL: {@code weir sink} and {@code weir collect}.
 */
public enum PostgresMetric implements Metric {
  SINK_RECORDS(
      "weir.sink.records",
      Kind.COUNTER,
      "records",
      List.of("topic"),
      "records in committed transactions, rejects included"),
  SINK_REJECTS(
      "weir.sink.rejects",
      Kind.COUNTER,
      "records",
      List.of("reason"),
      "records that do not fit their table; each is in weir_sink_rejects"),
  SINK_REJECTS_DELETED(
      "weir.sink.rejects.deleted",
      Kind.COUNTER,
      "records",
      List.of(),
      "rejects that were deleted after weir.sink.rejects.retention; weir_sink_rejects_deleted"
          + " counts them by reason"),
  SINK_WAITING(
      "weir.sink.waiting",
      Kind.GAUGE,
      "records",
      List.of(),
      "records in weir_sink_waiting: the partition of their day could not be attached yet, and"
          + " the log names the cause; at most 10,000 are counted"),
  SINK_TRANSACTIONS(
      "weir.sink.transactions", Kind.TIMER, "seconds", List.of(), "committed transactions"),
  SINK_LAG(
      "weir.sink.lag",
      Kind.GAUGE,
      "records",
      List.of(),
      "records in the partitions of this process that are not written yet"),
  SINK_DELAY(
      "weir.sink.delay",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "age of the oldest record, by append time, that was read and is not written; 0"
          + " if none waits"),
  SINK_STALLED(
      "weir.sink.stalled",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "how long records have waited without a committed transaction; about 0 if none" + " waits"),
  SINK_PARTITIONS(
      "weir.sink.partitions",
      Kind.GAUGE,
      "partitions",
      List.of(),
      "partitions assigned to this process; 64 for each topic in all processes together"),
  SINK_CONNECTED(
      "weir.sink.connected",
      Kind.GAUGE,
      "1 or 0",
      List.of(),
      "1 while it is connected to the database"),
  SINK_RECONNECTS(
      "weir.sink.reconnects",
      Kind.COUNTER,
      "connections",
      List.of(),
      "reconnections to the database"),
  SINK_FENCED(
      "weir.sink.fenced",
      Kind.COUNTER,
      "partitions",
      List.of(),
      "writes of partitions that another process had taken over; nothing is lost"),
  SINK_LOST(
      "weir.sink.lost",
      Kind.COUNTER,
      "offsets",
      List.of(),
      "offsets that were deleted before they were written, and skipped by --skip-lost"),
  COLLECT_ROWS(
      "weir.collect.rows",
      Kind.COUNTER,
      "rows",
      List.of("kind"),
      "rows sent or in flight, by kind: readings, events, scheduled"),
  COLLECT_REJECTS(
      "weir.collect.rejects",
      Kind.COUNTER,
      "rows",
      List.of("reason"),
      "rows that are neither a valid reading nor a valid event; each is in"
          + " weir_outbox_rejects"),
  COLLECT_REJECTS_DELETED(
      "weir.collect.rejects.deleted",
      Kind.COUNTER,
      "rows",
      List.of(),
      "rejects that were deleted after weir.collect.rejects.retention;"
          + " weir_outbox_rejects_deleted counts them by reason"),
  COLLECT_BATCHES(
      "weir.collect.batches",
      Kind.TIMER,
      "seconds",
      List.of(),
      "time from the database commit of a batch to its acknowledgement"),
  COLLECT_RESENT(
      "weir.collect.resent",
      Kind.COUNTER,
      "batches",
      List.of(),
      "batches sent again after a start or reconnection because they were in"
          + " flight; each counts once"),
  COLLECT_BEHIND(
      "weir.collect.behind",
      Kind.GAUGE,
      "rows",
      List.of(),
      "rows that wait in the outbox, counted every 10 s, up to 100,000 of each priority, and"
          + " rows in flight"),
  COLLECT_DELAY(
      "weir.collect.delay",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "approximate age of the transaction of the oldest waiting row; 0 if none waits"),
  COLLECT_STALLED(
      "weir.collect.stalled",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "time since it last read the outbox with all rows acknowledged, or was a" + " standby"),
  COLLECT_HELD_BACK(
      "weir.collect.held.back",
      Kind.GAUGE,
      "seconds",
      List.of("by"),
      "how long a transaction has held rows back: one that does not end, a prepared"
          + " one, or an invisible one (unknown); the log names it"),
  COLLECT_BUDGET_WAITED(
      "weir.collect.budget.waited",
      Kind.COUNTER,
      "seconds",
      List.of(),
      "time in which rows waited because of weir.collect.max.rate"),
  COLLECT_LIMIT(
      "weir.collect.limit",
      Kind.GAUGE,
      "rows",
      List.of(),
      "current batch limit; changes with weir.collect.adaptive"),
  COLLECT_ACTIVE(
      "weir.collect.active",
      Kind.GAUGE,
      "1 or 0",
      List.of(),
      "1 in the active process, 0 in a standby"),
  COLLECT_CONNECTED(
      "weir.collect.connected",
      Kind.GAUGE,
      "1 or 0",
      List.of(),
      "1 while it is connected to the database"),
  COLLECT_EXPIRED(
      "weir.collect.expired",
      Kind.COUNTER,
      "rows",
      List.of(),
      "rows that had expired before their batch was made, and were not sent"),
  COLLECT_RECONNECTS(
      "weir.collect.reconnects",
      Kind.COUNTER,
      "connections",
      List.of(),
      "reconnections to the database"),
  COLLECT_FENCED(
      "weir.collect.fenced",
      Kind.COUNTER,
      "times",
      List.of(),
      "takeovers by another process; nothing is lost");

  private final MetricSpec spec;

  PostgresMetric(String meterName, Kind kind, String unit, List<String> labels, String meaning) {
    this.spec = new MetricSpec(meterName, kind, unit, labels, meaning);
  }

  @Override
  public MetricSpec spec() {
    return spec;
  }
}
