package io.weir.internal.ops;

import java.util.List;

/** Metrics of an application on Kafka Streams: partitions, lag, commits, restores, threads. */
public enum StreamsMetric implements Metric {
  PARTITIONS(
      "weir.partitions",
      Kind.GAUGE,
      "partitions",
      List.of(),
      "partitions of the input topics that are assigned to this process"),
  PARTITIONS_EXPECTED(
      "weir.partitions.expected",
      Kind.GAUGE,
      "partitions",
      List.of("application"),
      "partitions of all inputs of the application, whose id is the label: the sum of"
          + " weir_partitions over its processes when none waits"),
  PARTITIONS_HALTED(
      "weir.partitions.halted",
      Kind.GAUGE,
      "0 or 1",
      List.of("topic", "partition"),
      "1 for a partition that is halted because its state was lost, until weir accept-loss;"
          + " no series if none was ever halted"),
  RECORDS_LOST(
      "weir.records.lost",
      Kind.COUNTER,
      "records",
      List.of(),
      "records skipped by weir accept-loss, counted as offsets"),
  CONSUMER_LAG(
      "weir.consumer.lag",
      Kind.GAUGE,
      "records",
      List.of(),
      "records in the partitions of this process that are not read yet"),
  COMMITS(
      "weir.commits",
      Kind.COUNTER,
      "commits",
      List.of(),
      "committed transactions of all threads; no commits while there is lag means no progress"),
  COMMIT_LATENCY(
      "weir.commit.latency", Kind.GAUGE, "seconds", List.of(), "longest recent commit of a thread"),
  COMMIT_AGE(
      "weir.commit.age",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "time since the last commit, of the partition where it is longest; an idle partition"
          + " commits every 30 s, so more than a minute means a stall"),
  PROCESSING_DELAY(
      "weir.processing.delay",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "age of the newest processed record by append time, in the partition that is furthest"
          + " behind; 0 without lag"),
  RETENTION_USED(
      "weir.retention.used",
      Kind.GAUGE,
      "0 to 1",
      List.of(),
      "unread share of the records that the readings topic retains, in the partition where"
          + " it is largest; at 1 the next deleted record is unread"),
  OUTPUT_BLOCKED(
      "weir.output.blocked",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "time since the last stable offset of an output topic or changelog advanced, because"
          + " of a hanging transaction, or of the readings, because of an open one; 0 if none"),
  TRANSACTIONS_HALF_ENDED(
      "weir.transactions.half.ended",
      Kind.COUNTER,
      "transactions",
      List.of(),
      "transactions of former members that may be half committed and were not aborted; the"
          + " log names each"),
  TOPIC_WARNINGS(
      "weir.topic.warnings",
      Kind.GAUGE,
      "settings",
      List.of(),
      "topic settings (replicas included) that differ from the expected ones; the log names"
          + " each"),
  RESTORE_REMAINING(
      "weir.restore.remaining",
      Kind.GAUGE,
      "records",
      List.of(),
      "changelog records left to restore"),
  RESTORE_PARTITIONS(
      "weir.restore.partitions",
      Kind.GAUGE,
      "partitions",
      List.of(),
      "partitions that are restoring state"),
  STATE(
      "weir.state",
      Kind.GAUGE,
      "1 or 0",
      List.of("state"),
      "1 for the current state of Kafka Streams, such as RUNNING, REBALANCING or ERROR"),
  READY("weir.ready", Kind.GAUGE, "1 or 0", List.of(), "1 while /readyz returns 200"),
  WAITING(
      "weir.waiting",
      Kind.GAUGE,
      "seconds",
      List.of("for"),
      "how long this process has waited for another system: kafka, registry, database or"
          + " transaction (of another process); 0 while it answers"),
  SUCCESS_AGE(
      "weir.success.age",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "time since the last success of this process: a commit, an acknowledged batch, or a poll"
          + " without waiting work; grows while the process has no success; run, events, sink,"
          + " collect, serve, import, edge and applications with handlers have it"),
  THREADS_ALIVE(
      "weir.threads.alive", Kind.GAUGE, "threads", List.of(), "stream threads that are alive"),
  THREADS_DIED(
      "weir.threads.died",
      Kind.COUNTER,
      "threads",
      List.of(),
      "stream threads that died of an error and were replaced; more than eight in ten"
          + " minutes, or four for each thread, end the process, broker outages excepted");

  private final MetricSpec spec;

  StreamsMetric(String meterName, Kind kind, String unit, List<String> labels, String meaning) {
    this.spec = new MetricSpec(meterName, kind, unit, labels, meaning);
  }

  @Override
  public MetricSpec spec() {
    return spec;
  }
}
