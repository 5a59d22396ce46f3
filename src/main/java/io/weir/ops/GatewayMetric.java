package io.weir.ops;

import io.weir.edge.PublisherMetrics;
import java.util.List;

/** What a gateway's publisher brings, and the application does not. */
public enum GatewayMetric implements Metric {
  PUBLISHER_QUEUE(
      PublisherMetrics.QUEUE_READINGS,
      Kind.GAUGE,
      "readings",
      List.of("gateway"),
      "edge: accepted and not acknowledged; near the capacity, offers are suspended"),
  PUBLISHER_QUEUE_CAPACITY(
      PublisherMetrics.QUEUE_CAPACITY,
      Kind.GAUGE,
      "readings",
      List.of("gateway"),
      "edge: the most that may be accepted and not acknowledged"),
  PUBLISHER_OFFERS(
      PublisherMetrics.OFFERS,
      Kind.COUNTER,
      "readings",
      List.of("gateway", "outcome"),
      "edge: offers by outcome: accepted, suspended (the brokers do not keep up), closed,"
          + " refused_..."),
  PUBLISHER_BATCHES(
      PublisherMetrics.BATCHES,
      Kind.COUNTER,
      "batches",
      List.of("gateway"),
      "edge: batches sent, each counted once"),
  PUBLISHER_BATCH_READINGS(
      PublisherMetrics.BATCH_READINGS,
      Kind.SUMMARY,
      "readings",
      List.of("gateway"),
      "edge: readings in a batch"),
  PUBLISHER_BYTES(
      PublisherMetrics.BYTES,
      Kind.COUNTER,
      "bytes",
      List.of("gateway"),
      "edge: batches before compression, each counted once"),
  PUBLISHER_ACKNOWLEDGEMENT(
      PublisherMetrics.ACKNOWLEDGEMENT,
      Kind.TIMER,
      "seconds",
      List.of("gateway"),
      "edge: from a batch's first offer to its acknowledgement"),
  PUBLISHER_RESENDS(
      PublisherMetrics.RESENDS,
      Kind.COUNTER,
      "batches",
      List.of("gateway"),
      "edge: batches sent again after a failure"),
  PUBLISHER_REPLACEMENTS(
      PublisherMetrics.REPLACEMENTS,
      Kind.COUNTER,
      "producers",
      List.of("gateway"),
      "edge: producers given up and replaced; at a rate, nothing may be getting through"),
  PUBLISHER_HELD(
      PublisherMetrics.HELD_PARTITIONS,
      Kind.GAUGE,
      "partitions",
      List.of("gateway"),
      "edge: partitions that stall: their next batch is refused as too large, or they have no"
          + " leader"),
  PUBLISHER_QUEUE_BYTES(
      PublisherMetrics.QUEUE_BYTES,
      Kind.GAUGE,
      "bytes",
      List.of("gateway"),
      "edge: memory that accepted readings take at most"),
  PUBLISHER_UNABLE(
      PublisherMetrics.UNABLE_SECONDS,
      Kind.GAUGE,
      "seconds",
      List.of("gateway"),
      "edge: for how long nothing has got through to the brokers"),
  PUBLISHER_OPEN_FAILURES(
      PublisherMetrics.OPEN_FAILURES,
      Kind.COUNTER,
      "attempts",
      List.of("gateway"),
      "edge: attempts to make a producer that failed"),
  PUBLISHER_DEAD_LETTERS(
      PublisherMetrics.DEAD_LETTERS,
      Kind.COUNTER,
      "records",
      List.of("gateway", "reason"),
      "edge: dead letters of what this start sent, where the publisher watches for them"),
  PUBLISHER_DROPPED(
      PublisherMetrics.DROPPED,
      Kind.COUNTER,
      "readings",
      List.of("gateway"),
      "edge: dropped, the oldest first, as the spool was full"),
  PUBLISHER_OUT_OF_ORDER(
      PublisherMetrics.OUT_OF_ORDER,
      Kind.COUNTER,
      "readings",
      List.of("gateway"),
      "edge, with weir.ordered: accepted although one of their sensor was newer; they may be late"),
  PUBLISHER_ATTESTATIONS(
      PublisherMetrics.ATTESTATIONS,
      Kind.COUNTER,
      "attestations",
      List.of("gateway"),
      "edge: accepted by complete(...)"),
  PUBLISHER_ATTESTATIONS_WITHHELD(
      PublisherMetrics.ATTESTATIONS_WITHHELD,
      Kind.COUNTER,
      "attestations",
      List.of("gateway"),
      "edge: accepted and never sent, as batches of their partition were given up; until the next"
          + " start windows there wait for grace");

  private final MetricSpec spec;

  GatewayMetric(String meterName, Kind kind, String unit, List<String> labels, String meaning) {
    this.spec = new MetricSpec(meterName, kind, unit, labels, meaning);
  }

  @Override
  public MetricSpec spec() {
    return spec;
  }
}
