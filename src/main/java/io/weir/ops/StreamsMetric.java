package io.weir.ops;

import java.util.List;

/** An application on Kafka Streams: partitions, lag, commits, restores, threads. */
public enum StreamsMetric implements Metric {
  PARTITIONS(
      "weir.partitions",
      Kind.GAUGE,
      "partitions",
      List.of(),
      "partitions of the readings that this process aggregates; 64 in all processes together"),
  PARTITIONS_HALTED(
      "weir.partitions.halted",
      Kind.GAUGE,
      "0 or 1",
      List.of("topic", "partition"),
      "1 where a partition of this process stands still since its state was lost, until weir"
          + " accept-loss; none where none ever was"),
  RECORDS_LOST(
      "weir.records.lost",
      Kind.COUNTER,
      "records",
      List.of(),
      "records that partitions went on without after weir accept-loss, counted as offsets"),
  CONSUMER_LAG(
      "weir.consumer.lag",
      Kind.GAUGE,
      "records",
      List.of(),
      "records appended to this process's partitions and not read yet"),
  COMMITS(
      "weir.commits",
      Kind.COUNTER,
      "commits",
      List.of(),
      "transactions committed, by all threads; none while there is lag means that nothing moves"),
  COMMIT_LATENCY(
      "weir.commit.latency",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "the longest that a thread's commit took of late"),
  COMMIT_AGE(
      "weir.commit.age",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "for how long the partition that waits for longest has not been committed; a silent one is"
          + " committed every 30 s, so that more than a minute means that something stalls"),
  PROCESSING_DELAY(
      "weir.processing.delay",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "how old the newest processed record is, by its append time, of the partition that is"
          + " furthest behind; 0 where nothing waits"),
  RETENTION_USED(
      "weir.retention.used",
      Kind.GAUGE,
      "0 to 1",
      List.of(),
      "of the records that the readings topic keeps of a partition, the share that is not read yet,"
          + " in the partition where it is largest; at 1 the next one that is deleted is unread"),
  OUTPUT_BLOCKED(
      "weir.output.blocked",
      Kind.GAUGE,
      "seconds",
      List.of(),
      "for how long readers of committed records have not got on in an output or the changelog,"
          + " for a transaction that nobody will end, or in the readings, for one that somebody"
          + " keeps open; 0 while there is none"),
  TRANSACTIONS_HALF_ENDED(
      "weir.transactions.half.ended",
      Kind.COUNTER,
      "transactions",
      List.of(),
      "transactions of members that are gone which may be half committed, and were left alone; the"
          + " log names each"),
  TOPIC_WARNINGS(
      "weir.topic.warnings",
      Kind.GAUGE,
      "settings",
      List.of(),
      "settings of topics, replicas among them, that are not as they should be; the log names each"),
  RESTORE_REMAINING(
      "weir.restore.remaining",
      Kind.GAUGE,
      "records",
      List.of(),
      "changelog records still to be read before restoring partitions are aggregated again"),
  RESTORE_PARTITIONS(
      "weir.restore.partitions",
      Kind.GAUGE,
      "partitions",
      List.of(),
      "partitions whose state is being restored"),
  STATE(
      "weir.state",
      Kind.GAUGE,
      "1 or 0",
      List.of("state"),
      "1 for the state that Kafka Streams is in, such as RUNNING, REBALANCING or ERROR"),
  READY("weir.ready", Kind.GAUGE, "1 or 0", List.of(), "1 while /readyz says yes"),
  THREADS_ALIVE(
      "weir.threads.alive", Kind.GAUGE, "threads", List.of(), "stream threads that are not dead"),
  THREADS_DIED(
      "weir.threads.died",
      Kind.COUNTER,
      "threads",
      List.of(),
      "stream threads that died of an error and were replaced; more than eight in ten minutes, or"
          + " four for each thread, end the process, outages of the brokers aside");

  private final MetricSpec spec;

  StreamsMetric(String meterName, Kind kind, String unit, List<String> labels, String meaning) {
    this.spec = new MetricSpec(meterName, kind, unit, labels, meaning);
  }

  @Override
  public MetricSpec spec() {
    return spec;
  }
}
