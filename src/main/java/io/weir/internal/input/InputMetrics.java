package io.weir.internal.input;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** The metrics of the inputs. Thread-safe. */
public final class InputMetrics {
  public static final String REQUESTS = "weir.edge.requests";
  public static final String REQUEST_SECONDS = "weir.edge.request";
  public static final String READINGS = "weir.edge.readings";
  public static final String REFUSED = "weir.edge.refused";
  public static final String SKIPPED = "weir.edge.skipped";
  public static final String RECEIVED_BYTES = "weir.edge.received.bytes";
  public static final String REQUESTS_IN_FLIGHT = "weir.edge.requests.in.flight";
  public static final String SUSPENDED = "weir.edge.suspended";
  public static final String IDENTITIES = "weir.edge.dedup.identities";
  public static final String EVICTED = "weir.edge.dedup.evicted";
  public static final String COLLISIONS = "weir.edge.id.collisions";
  public static final String CLOSED = "weir.edge.connections.closed";
  public static final String ARRIVAL_TIME = "weir.edge.arrival.time";

  private final MeterRegistry registry;
  private final Map<String, Counter> counters = new ConcurrentHashMap<>();
  private final Map<String, Timer> timers = new ConcurrentHashMap<>();

  public InputMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Shows the state of the common way. */
  public void show(Intake intake, Admission admission) {
    IdentityCounts counts = intake.identities().counts();
    gauge(REQUESTS_IN_FLIGHT, admission, Admission::requests);
    gauge(SUSPENDED, intake.sink(), sink -> sink.hasRoom() ? 0 : 1);
    gauge(IDENTITIES, counts, IdentityCounts::identities);
    counter(EVICTED, "identities", counts, IdentityCounts::allEvictedIdentities);
    counter(EVICTED, "sensors", counts, IdentityCounts::allEvictedSensors);
    FunctionCounter.builder(COLLISIONS, counts, IdentityCounts::allCollisions).register(registry);
  }

  /** A request was answered. */
  public void answered(String input, int status, long nanos) {
    count(REQUESTS, input, "status", Integer.toString(status), 1);
    timers
        .computeIfAbsent(
            input,
            name -> Timer.builder(REQUEST_SECONDS).tag("input", label(name)).register(registry))
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  public void received(String input, long bytes) {
    counters
        .computeIfAbsent(
            RECEIVED_BYTES + input,
            key -> Counter.builder(RECEIVED_BYTES).tag("input", label(input)).register(registry))
        .increment(bytes);
  }

  /** Readings of a request by what became of them. */
  public void readings(String input, Delivery delivery, long refused, long skipped) {
    count(READINGS, input, "outcome", "accepted", delivery.accepted());
    count(READINGS, input, "outcome", "duplicate", delivery.duplicates());
    count(READINGS, input, "outcome", "refused", refused);
    count(READINGS, input, "outcome", "skipped", skipped);
  }

  /**
   * The same by reason and kind.
   *
   * @param skips the number of skipped readings by kind
   */
  public void readings(
      String input, Delivery delivery, RefusedCounts refused, Map<String, Integer> skips) {
    int skipped = skips.values().stream().mapToInt(Integer::intValue).sum();
    readings(input, delivery, refused.all(), skipped);
    refused.byReason().forEach((reason, number) -> refused(input, reason, number));
    skips.forEach((kind, number) -> skipped(input, kind, number));
  }

  public void refused(String input, String reason, long readings) {
    count(REFUSED, input, "reason", reason, readings);
  }

  public void skipped(String input, String kind, long readings) {
    count(SKIPPED, input, "kind", kind, readings);
  }

  /** A connection was closed without an answer. */
  public void closed(String cause) {
    counters
        .computeIfAbsent(
            CLOSED + cause, key -> Counter.builder(CLOSED).tag("cause", cause).register(registry))
        .increment();
  }

  /** Readings without a time of their own. */
  public void arrivalTime(String input, long readings) {
    counters
        .computeIfAbsent(
            ARRIVAL_TIME + input,
            key -> Counter.builder(ARRIVAL_TIME).tag("input", label(input)).register(registry))
        .increment(readings);
  }

  private void count(String name, String input, String label, String value, long amount) {
    counters
        .computeIfAbsent(
            name + input + value,
            key ->
                Counter.builder(name)
                    .tag("input", label(input))
                    .tag(label, value)
                    .register(registry))
        .increment(amount);
  }

  private static String label(String input) {
    return input.replace('-', '_');
  }

  private <T> void counter(String name, String what, T of, ToDoubleFunction<T> value) {
    FunctionCounter.builder(name, of, value).tag("what", what).register(registry);
  }

  private <T> void gauge(String name, T of, ToDoubleFunction<T> value) {
    Gauge.builder(name, of, value).strongReference(true).register(registry);
  }
}
