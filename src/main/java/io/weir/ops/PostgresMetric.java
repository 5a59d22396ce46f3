package io.weir.ops;

import java.util.List;

/** What is between Kafka and PostgreSQL: {@code weir sink} and {@code weir collect}. */
public enum PostgresMetric implements Metric {
  SINK_RECORDS(
      "weir.sink.records",
      Kind.COUNTER,
      "records",
      List.of("topic"),
      "sink: records whose transactions are committed, rejects included"),
  SINK_REJECTS(
      "weir.sink.rejects",
      Kind.COUNTER,
      "records",
      List.of("reason"),
      "sink: records that have no place in their table; each is in weir_sink_rejects"),
  SINK_TRANSACTIONS(
      "weir.sink.transactions", Kind.TIMER, "seconds", List.of(), "sink: transactions committed"),
  SINK_LAG(
      "weir.sink.lag",
      Kind.GAUGE,
      "records",
      List.of(),
      "sink: records appended to this process's partitions and not written yet"),
  SINK_DELAY(
      "weir.sink.delay",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "sink: how old the oldest record is, by its append time, that was read and is not written; 0"
          + " where nothing waits"),
  SINK_STALLED(
      "weir.sink.stalled",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "sink: how long records have waited while no transaction was committed; about 0 where nothing"
          + " waits"),
  SINK_PARTITIONS(
      "weir.sink.partitions",
      Kind.GAUGE,
      "partitions",
      List.of(),
      "sink: partitions that this process writes; 64 for each topic in all processes together"),
  SINK_CONNECTED(
      "weir.sink.connected",
      Kind.GAUGE,
      "1 or 0",
      List.of(),
      "sink: 1 while there is a connection to the database"),
  SINK_RECONNECTS(
      "weir.sink.reconnects",
      Kind.COUNTER,
      "connections",
      List.of(),
      "sink: connections to the database that were made again"),
  SINK_FENCED(
      "weir.sink.fenced",
      Kind.COUNTER,
      "partitions",
      List.of(),
      "sink: partitions that another process had taken over when they were to be written; nothing"
          + " is lost by that"),
  SINK_LOST(
      "weir.sink.lost",
      Kind.COUNTER,
      "offsets",
      List.of(),
      "sink: offsets that were deleted before they were written, and skipped by --skip-lost"),
  COLLECT_ROWS(
      "weir.collect.rows",
      Kind.COUNTER,
      "rows",
      List.of("kind"),
      "collect: rows of the outbox that are sent, or in flight: readings, events, scheduled"),
  COLLECT_REJECTS(
      "weir.collect.rejects",
      Kind.COUNTER,
      "rows",
      List.of("reason"),
      "collect: rows that are no reading and no event; each is in weir_outbox_rejects"),
  COLLECT_BATCHES(
      "weir.collect.batches",
      Kind.TIMER,
      "seconds",
      List.of(),
      "collect: from the commit of what is sent to its acknowledgement"),
  COLLECT_RESENT(
      "weir.collect.resent",
      Kind.COUNTER,
      "batches",
      List.of(),
      "collect: batches that were in flight when it began or connected again, and were sent again;"
          + " each counts once"),
  COLLECT_BEHIND(
      "weir.collect.behind",
      Kind.GAUGE,
      "rows",
      List.of(),
      "collect: rows that wait in the outbox, counted every 10 s, up to 100,000 of each priority"),
  COLLECT_DELAY(
      "weir.collect.delay",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "collect: how long ago the transaction of the oldest row that waits began, about; 0 where"
          + " nothing waits"),
  COLLECT_STALLED(
      "weir.collect.stalled",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "collect: how long ago it last read the outbox and had everything acknowledged, or stood by"),
  COLLECT_HELD_BACK(
      "weir.collect.held.back",
      Kind.GAUGE,
      "seconds",
      List.of("by"),
      "collect: how long rows have been held back by a transaction that does not end, a prepared"
          + " one, or one that may not be seen (unknown); the log names it"),
  COLLECT_BUDGET_WAITED(
      "weir.collect.budget.waited",
      Kind.COUNTER,
      "seconds",
      List.of(),
      "collect: time in which rows waited for weir.collect.max.rate"),
  COLLECT_LIMIT(
      "weir.collect.limit",
      Kind.GAUGE,
      "rows",
      List.of(),
      "collect: rows of a batch, as limited now; it moves with weir.collect.adaptive"),
  COLLECT_ACTIVE(
      "weir.collect.active",
      Kind.GAUGE,
      "1 or 0",
      List.of(),
      "collect: 1 in the process that collects, 0 in a standby process"),
  COLLECT_CONNECTED(
      "weir.collect.connected",
      Kind.GAUGE,
      "1 or 0",
      List.of(),
      "collect: 1 while there is a connection to the database"),
  COLLECT_EXPIRED(
      "weir.collect.expired",
      Kind.COUNTER,
      "rows",
      List.of(),
      "collect: rows that had expired when their batch was made, and were not sent"),
  COLLECT_RECONNECTS(
      "weir.collect.reconnects",
      Kind.COUNTER,
      "connections",
      List.of(),
      "collect: connections to the database that were made again"),
  COLLECT_FENCED(
      "weir.collect.fenced",
      Kind.COUNTER,
      "times",
      List.of(),
      "collect: how often another process had taken over from this one; nothing is lost by that");

  private final MetricSpec spec;

  PostgresMetric(String meterName, Kind kind, String unit, List<String> labels, String meaning) {
    this.spec = new MetricSpec(meterName, kind, unit, labels, meaning);
  }

  @Override
  public MetricSpec spec() {
    return spec;
  }
}
