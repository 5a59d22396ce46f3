package io.weir.internal.input.sparkplug;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** The metrics of edge nodes; those of readings are with the other inputs. Thread-safe. */
public final class SparkplugMetrics {
  public static final String CONNECTED = "weir.sparkplug.connected";
  public static final String NODES = "weir.sparkplug.nodes";
  public static final String GAPS = "weir.sparkplug.gaps";
  public static final String REBIRTHS = "weir.sparkplug.rebirths";
  public static final String UNRESOLVED = "weir.sparkplug.unresolved";
  public static final String HISTORICAL = "weir.sparkplug.historical";
  public static final String RECONNECTS = "weir.sparkplug.reconnects";
  public static final String DROPPED = "weir.sparkplug.dropped";

  private final MeterRegistry registry;
  private final AtomicInteger connected = new AtomicInteger();
  private final AtomicInteger[] nodes = new AtomicInteger[EdgeNode.State.values().length];
  private final Counter gaps;
  private final Counter unresolved;
  private final Counter historical;
  private final Counter dropped;
  private final Counter reconnects;

  public SparkplugMetrics(MeterRegistry registry) {
    this.registry = registry;
    gauge(CONNECTED, connected).register(registry);
    for (EdgeNode.State state : EdgeNode.State.values()) {
      nodes[state.ordinal()] = new AtomicInteger();
      gauge(NODES, nodes[state.ordinal()]).tag("state", label(state)).register(registry);
    }
    gaps = registry.counter(GAPS);
    unresolved = registry.counter(UNRESOLVED);
    historical = registry.counter(HISTORICAL);
    dropped = registry.counter(DROPPED);
    reconnects = registry.counter(RECONNECTS);
  }

  private static Gauge.Builder<AtomicInteger> gauge(String name, AtomicInteger of) {
    return Gauge.builder(name, of, AtomicInteger::get).strongReference(true);
  }

  private static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  void connected(boolean is) {
    connected.set(is ? 1 : 0);
  }

  /** An edge node has come to a state. */
  void entered(EdgeNode.State state) {
    nodes[state.ordinal()].incrementAndGet();
  }

  void left(EdgeNode.State state) {
    nodes[state.ordinal()].decrementAndGet();
  }

  void gap() {
    gaps.increment();
  }

  void rebirth(Rebirths.Cause cause) {
    registry.counter(REBIRTHS, "cause", label(cause)).increment();
  }

  void unresolved() {
    unresolved.increment();
  }

  void historical() {
    historical.increment();
  }

  void reconnect() {
    reconnects.increment();
  }

  void dropped() {
    dropped.increment();
  }
}
