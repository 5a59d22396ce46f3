package io.weir.edge;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The catalogue of the publisher's metrics, each tagged with {@code gateway}. Safe for any thread.
 * Closing takes the meters of queue and lanes out of the registry, so that a next publisher can
 * bring its own.
 */
public final class PublisherMetrics implements AutoCloseable {
  /** Gauge, readings: accepted and not acknowledged. Near the capacity, offers are suspended. */
  public static final String QUEUE_READINGS = "weir.publisher.queue.readings";

  /** Gauge, readings: the most that may be accepted and not acknowledged. */
  public static final String QUEUE_CAPACITY = "weir.publisher.queue.capacity";

  /**
   * Counter, readings, by {@code outcome}: accepted, suspended, closed, refused_... Alert on
   * suspended (the brokers do not keep up) and refused (a sensor sends what nobody believes).
   */
  public static final String OFFERS = "weir.publisher.offers";

  /** Counter, batches sent, each counted once. */
  public static final String BATCHES = "weir.publisher.batches";

  /** Summary, readings in a batch. */
  public static final String BATCH_READINGS = "weir.publisher.batch.readings";

  /** Counter, bytes of batches before compression, each batch counted once. */
  public static final String BYTES = "weir.publisher.bytes";

  /** Timer, from the first offer of a batch to its acknowledgement. */
  public static final String ACKNOWLEDGEMENT = "weir.publisher.acknowledgement";

  /** Counter, batches sent again after a failure. */
  public static final String RESENDS = "weir.publisher.resends";

  /** Counter, producers given up and replaced. Alert on a rate: nothing may be getting through. */
  public static final String REPLACEMENTS = "weir.publisher.replacements";

  /**
   * Gauge, partitions that stand still because the brokers refuse their next batch as too large.
   * Alert above 0: the readings topic's max.message.bytes is to be raised.
   */
  public static final String HELD_PARTITIONS = "weir.publisher.held.partitions";

  /** Gauge, bytes of memory that accepted readings take at most. */
  public static final String QUEUE_BYTES = "weir.publisher.queue.bytes";

  /** Counter, readings dropped from a full disk by {@link Overflow#DROP_OLDEST}. Alert on any. */
  public static final String DROPPED = "weir.publisher.dropped";

  /** Counter, attempts to make a producer that failed. Alert on a rate. */
  public static final String OPEN_FAILURES = "weir.publisher.open.failures";

  /** Gauge, seconds for which nothing has got through to the brokers. Alert above a minute. */
  public static final String UNABLE_SECONDS = "weir.publisher.unable.seconds";

  private final MeterRegistry registry;
  private final Tags tags;
  private final Map<Offer, Counter> notAccepted = new EnumMap<>(Offer.class);
  private final Counter batches;
  private final Counter bytes;
  private final Counter resends;
  private final Counter replacements;
  private final Counter dropped;
  private final DistributionSummary batchReadings;
  private final Timer acknowledgement;
  private final List<Meter> ofQueue;

  PublisherMetrics(
      MeterRegistry registry,
      String gatewayId,
      long capacity,
      QueueGate gate,
      Lanes lanes,
      StatusBoard status) {
    this.registry = registry;
    this.tags = Tags.of("gateway", gatewayId);
    for (Offer offer : Offer.values()) {
      if (offer != Offer.ACCEPTED) {
        notAccepted.put(offer, registry.counter(OFFERS, tags.and("outcome", nameOf(offer))));
      }
    }
    batches = registry.counter(BATCHES, tags);
    bytes = Counter.builder(BYTES).baseUnit("bytes").tags(tags).register(registry);
    resends = registry.counter(RESENDS, tags);
    dropped = registry.counter(DROPPED, tags);
    replacements = registry.counter(REPLACEMENTS, tags);
    batchReadings = registry.summary(BATCH_READINGS, tags);
    acknowledgement = registry.timer(ACKNOWLEDGEMENT, tags);
    ofQueue =
        List.of(
            Gauge.builder(QUEUE_READINGS, gate, QueueGate::readings).tags(tags).register(registry),
            Gauge.builder(QUEUE_BYTES, gate, QueueGate::bytes).tags(tags).register(registry),
            Gauge.builder(QUEUE_CAPACITY, () -> capacity).tags(tags).register(registry),
            Gauge.builder(HELD_PARTITIONS, lanes, Lanes::held).tags(tags).register(registry),
            Gauge.builder(UNABLE_SECONDS, status, StatusBoard::unableSeconds)
                .tags(tags)
                .register(registry),
            FunctionCounter.builder(OPEN_FAILURES, status, StatusBoard::openFailures)
                .tags(tags)
                .register(registry),
            FunctionCounter.builder(OFFERS, lanes, Lanes::accepted)
                .tags(tags.and("outcome", nameOf(Offer.ACCEPTED)))
                .register(registry));
  }

  Offer notAccepted(Offer offer) {
    notAccepted.get(offer).increment();
    return offer;
  }

  void firstSent(Shipment shipment) {
    batches.increment();
    bytes.increment(shipment.bytes());
    batchReadings.record(shipment.accepted());
  }

  void sentAgain() {
    resends.increment();
  }

  void acknowledged(Shipment shipment, long nowNanos) {
    acknowledgement.record(nowNanos - shipment.firstAcceptedNanos(), TimeUnit.NANOSECONDS);
  }

  void dropped(int readings) {
    dropped.increment(readings);
  }

  void producerGivenUp() {
    replacements.increment();
  }

  @Override
  public void close() {
    ofQueue.forEach(registry::remove);
  }

  private static String nameOf(Offer offer) {
    return offer.name().toLowerCase(Locale.ROOT);
  }
}
