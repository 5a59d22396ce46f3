package io.weir.edge;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.lang.ref.WeakReference;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

/**
 * The catalogue of the publisher's metrics, each tagged with {@code gateway}. Thread-safe. Closing
 * removes the gauges from the registry, so that the next publisher can register its gauges.
 */
public final class PublisherMetrics implements AutoCloseable {
  /** Gauge, readings: accepted and not acknowledged. Near the capacity, offers are suspended. */
  public static final String QUEUE_READINGS = "weir.publisher.queue.readings";

  /** Gauge, readings: maximum number of accepted, unacknowledged readings. */
  public static final String QUEUE_CAPACITY = "weir.publisher.queue.capacity";

  /**
   * Counter, readings, by {@code outcome}: accepted, suspended, closed, refused_... Alert on
   * suspended (the brokers do not keep up) and refused (a sensor sends invalid readings).
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

  /** Counter, batches that were retried after a failure. */
  public static final String RESENDS = "weir.publisher.resends";

  /**
   * Counter, producers that failed and were replaced. Alert on a rate: possibly no readings reach
   * the brokers.
   */
  public static final String REPLACEMENTS = "weir.publisher.replacements";

  /**
   * Gauge, partitions that stall because the brokers reject their next batch as too large or the
   * partition has no leader. Alert above 0.
   */
  public static final String HELD_PARTITIONS = "weir.publisher.held.partitions";

  /**
   * Counter, dead letters of this start by {@code reason}, if {@code watchDeadLetters} is set.
   * Alert on any: the brokers acknowledged them nevertheless.
   */
  public static final String DEAD_LETTERS = "weir.publisher.dead.letters";

  /** Gauge, bytes: upper bound of the memory that accepted, unacknowledged readings use now. */
  public static final String QUEUE_BYTES = "weir.publisher.queue.bytes";

  /** Counter, readings dropped from a full disk by {@link Overflow#DROP_OLDEST}. Alert on any. */
  public static final String DROPPED = "weir.publisher.dropped";

  /**
   * Counter, readings, only with {@code ordered}: accepted readings that were older than an earlier
   * one of their sensor. Alert on a rate: the sensor's windows may be final without them.
   */
  public static final String OUT_OF_ORDER = "weir.publisher.out.of.order";

  /** Counter, attestations accepted by {@link ReadingPublisher#complete}. */
  public static final String ATTESTATIONS = "weir.publisher.attestations";

  /**
   * Counter, accepted attestations that are never sent because batches of their partition were
   * dropped. Alert on any: until the next start, windows of the partition wait for grace.
   */
  public static final String ATTESTATIONS_WITHHELD = "weir.publisher.attestations.withheld";

  /** Counter, failed attempts to create a producer. Alert on a rate. */
  public static final String OPEN_FAILURES = "weir.publisher.open.failures";

  /** Gauge, seconds since the brokers last accepted batches. Alert above a minute. */
  public static final String UNABLE_SECONDS = "weir.publisher.unable";

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
  private final String gatewayId;
  private final Slot slot;
  private final Gauges gauges;

  /**
   * The slots of a registry by gateway; starts and closes are serialized. A slot refers neither to
   * the registry nor, strongly, to a publisher, so that those that nobody closes can be collected.
   */
  private static final Map<MeterRegistry, Map<String, Slot>> SLOTS = new WeakHashMap<>();

  /**
   * The meters of a gateway, shared by its publishers if one starts before another is closed. The
   * gauges show the one that started last.
   */
  private static final class Slot {
    private final Set<Meter> meters = ConcurrentHashMap.newKeySet();
    private volatile WeakReference<Gauges> gauges;

    double value(Function<Gauges, DoubleSupplier> value) {
      Gauges current = gauges.get();
      return current == null ? Double.NaN : value.apply(current).getAsDouble();
    }
  }

  private record Gauges(
      DoubleSupplier readings,
      DoubleSupplier bytes,
      DoubleSupplier capacity,
      DoubleSupplier held,
      DoubleSupplier unableSeconds,
      DoubleSupplier openFailures,
      DoubleSupplier accepted,
      DoubleSupplier outOfOrder,
      DoubleSupplier attested,
      DoubleSupplier withheld) {}

  PublisherMetrics(
      MeterRegistry registry,
      String gatewayId,
      long capacity,
      QueueLimit limit,
      PartitionQueues<?> queues,
      StatusBoard status) {
    this.registry = registry;
    this.gatewayId = gatewayId;
    this.tags = Tags.of("gateway", gatewayId);
    gauges =
        new Gauges(
            limit::readings,
            limit::bytes,
            () -> capacity,
            queues::muted,
            status::unableSeconds,
            status::openFailures,
            queues::accepted,
            queues::outOfOrder,
            queues::attested,
            queues::withheld);
    synchronized (SLOTS) {
      slot =
          SLOTS
              .computeIfAbsent(registry, key -> new HashMap<>())
              .computeIfAbsent(gatewayId, key -> new Slot());
      slot.gauges = new WeakReference<>(gauges);
      for (Offer offer : Offer.values()) {
        if (offer != Offer.ACCEPTED) {
          notAccepted.put(offer, counter(OFFERS, tags.and("outcome", nameOf(offer))));
        }
      }
      batches = counter(BATCHES, tags);
      bytes = shared(Counter.builder(BYTES).baseUnit("bytes").tags(tags).register(registry));
      resends = counter(RESENDS, tags);
      dropped = counter(DROPPED, tags);
      replacements = counter(REPLACEMENTS, tags);
      batchReadings = shared(registry.summary(BATCH_READINGS, tags));
      acknowledgement = shared(registry.timer(ACKNOWLEDGEMENT, tags));
      gauge(QUEUE_READINGS, Gauges::readings);
      gauge(QUEUE_BYTES, Gauges::bytes);
      gauge(QUEUE_CAPACITY, Gauges::capacity);
      gauge(HELD_PARTITIONS, Gauges::held);
      gauge(UNABLE_SECONDS, Gauges::unableSeconds);
      counterOf(OPEN_FAILURES, tags, Gauges::openFailures);
      counterOf(OUT_OF_ORDER, tags, Gauges::outOfOrder);
      counterOf(ATTESTATIONS, tags, Gauges::attested);
      counterOf(ATTESTATIONS_WITHHELD, tags, Gauges::withheld);
      counterOf(OFFERS, tags.and("outcome", nameOf(Offer.ACCEPTED)), Gauges::accepted);
    }
  }

  private Counter counter(String name, Tags tagged) {
    return shared(registry.counter(name, tagged));
  }

  private void gauge(String name, Function<Gauges, DoubleSupplier> value) {
    shared(
        Gauge.builder(name, slot, current -> current.value(value))
            .tags(tags)
            .baseUnit(name.equals(UNABLE_SECONDS) ? "seconds" : null)
            .register(registry));
  }

  private void counterOf(String name, Tags tagged, Function<Gauges, DoubleSupplier> value) {
    shared(
        FunctionCounter.builder(name, slot, current -> current.value(value))
            .tags(tagged)
            .register(registry));
  }

  private <M extends Meter> M shared(M meter) {
    slot.meters.add(meter);
    return meter;
  }

  /** Counts the result of an offer; the queue counts accepted ones. */
  Offer counted(Offer offer) {
    if (offer != Offer.ACCEPTED) {
      notAccepted.get(offer).increment();
    }
    return offer;
  }

  void firstSent(UnacknowledgedBatch batch) {
    batches.increment();
    bytes.increment(batch.bytes());
    batchReadings.record(batch.accepted());
  }

  void sentAgain() {
    resends.increment();
  }

  void acknowledged(UnacknowledgedBatch batch, long nowNanos) {
    acknowledgement.record(nowNanos - batch.firstAcceptedNanos(), TimeUnit.NANOSECONDS);
  }

  void dropped(int readings) {
    dropped.increment(readings);
  }

  /** Weir refused a batch or readings. Thread-safe. */
  void refused(String reason) {
    counter(DEAD_LETTERS, tags.and("reason", reason.toLowerCase(Locale.ROOT))).increment();
  }

  void producerGivenUp() {
    replacements.increment();
  }

  /** Removes the gateway's meters, unless a later publisher of the gateway uses them. */
  @Override
  public void close() {
    synchronized (SLOTS) {
      if (slot.gauges.get() == gauges) {
        slot.meters.forEach(registry::remove);
        SLOTS.getOrDefault(registry, Map.of()).remove(gatewayId);
      }
    }
  }

  private static String nameOf(Offer offer) {
    return offer.name().toLowerCase(Locale.ROOT);
  }
}
