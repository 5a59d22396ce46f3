package io.weir.internal.ops;

import io.weir.edge.PublisherMetrics;
import java.util.List;

/** The metrics of a gateway's publisher. */
public enum GatewayMetric implements Metric {
  PUBLISHER_QUEUE(
      PublisherMetrics.QUEUE_READINGS,
      Kind.GAUGE,
      "readings",
      List.of("gateway"),
      "accepted readings without acknowledgement; near the capacity, offers are" + " suspended"),
  PUBLISHER_QUEUE_CAPACITY(
      PublisherMetrics.QUEUE_CAPACITY,
      Kind.GAUGE,
      "readings",
      List.of("gateway"),
      "maximum number of accepted readings without acknowledgement"),
  PUBLISHER_OFFERS(
      PublisherMetrics.OFFERS,
      Kind.COUNTER,
      "readings",
      List.of("gateway", "outcome"),
      "offered readings by outcome: accepted, suspended (the brokers are too slow),"
          + " closed, refused_..."),
  PUBLISHER_BATCHES(
      PublisherMetrics.BATCHES,
      Kind.COUNTER,
      "batches",
      List.of("gateway"),
      "batches sent; each counts once"),
  PUBLISHER_BATCH_READINGS(
      PublisherMetrics.BATCH_READINGS,
      Kind.SUMMARY,
      "readings",
      List.of("gateway"),
      "readings a batch"),
  PUBLISHER_BYTES(
      PublisherMetrics.BYTES,
      Kind.COUNTER,
      "bytes",
      List.of("gateway"),
      "bytes of batches before compression; each batch counts once"),
  PUBLISHER_ACKNOWLEDGEMENT(
      PublisherMetrics.ACKNOWLEDGEMENT,
      Kind.TIMER,
      "seconds",
      List.of("gateway"),
      "time from the first offer of a batch to its acknowledgement"),
  PUBLISHER_RESENDS(
      PublisherMetrics.RESENDS,
      Kind.COUNTER,
      "batches",
      List.of("gateway"),
      "batches sent again after a failure"),
  PUBLISHER_REPLACEMENTS(
      PublisherMetrics.REPLACEMENTS,
      Kind.COUNTER,
      "producers",
      List.of("gateway"),
      "Kafka producers closed and replaced; a steady rate may mean that no batch"
          + " reaches the brokers"),
  PUBLISHER_HELD(
      PublisherMetrics.HELD_PARTITIONS,
      Kind.GAUGE,
      "partitions",
      List.of("gateway"),
      "stalled partitions: their next batch is too large for the topic, or they have"
          + " no leader"),
  PUBLISHER_QUEUE_BYTES(
      PublisherMetrics.QUEUE_BYTES,
      Kind.GAUGE,
      "bytes",
      List.of("gateway"),
      "upper bound of the memory of accepted readings"),
  PUBLISHER_UNABLE(
      PublisherMetrics.UNABLE_SECONDS,
      Kind.GAUGE,
      "seconds",
      List.of("gateway"),
      "time since a batch last reached the brokers"),
  PUBLISHER_OPEN_FAILURES(
      PublisherMetrics.OPEN_FAILURES,
      Kind.COUNTER,
      "attempts",
      List.of("gateway"),
      "failed attempts to create a Kafka producer"),
  PUBLISHER_DEAD_LETTERS(
      PublisherMetrics.DEAD_LETTERS,
      Kind.COUNTER,
      "records",
      List.of("gateway", "reason"),
      "dead letters of batches sent since this start, if the publisher reads the dead"
          + " letters"),
  PUBLISHER_DROPPED(
      PublisherMetrics.DROPPED,
      Kind.COUNTER,
      "readings",
      List.of("gateway"),
      "readings dropped, oldest first, because the spool was full"),
  PUBLISHER_OUT_OF_ORDER(
      PublisherMetrics.OUT_OF_ORDER,
      Kind.COUNTER,
      "readings",
      List.of("gateway"),
      "with weir.ordered: readings accepted after a newer one of the same sensor; they"
          + " may be late"),
  PUBLISHER_ATTESTATIONS(
      PublisherMetrics.ATTESTATIONS,
      Kind.COUNTER,
      "attestations",
      List.of("gateway"),
      "attestations accepted by complete(...)"),
  PUBLISHER_ATTESTATIONS_WITHHELD(
      PublisherMetrics.ATTESTATIONS_WITHHELD,
      Kind.COUNTER,
      "attestations",
      List.of("gateway"),
      "attestations accepted and never sent because batches of their partition were"
          + " abandoned; windows there wait for grace until the next start");

  private final MetricSpec spec;

  GatewayMetric(String meterName, Kind kind, String unit, List<String> labels, String meaning) {
    this.spec = new MetricSpec(meterName, kind, unit, labels, meaning);
  }

  @Override
  public MetricSpec spec() {
    return spec;
  }
}
