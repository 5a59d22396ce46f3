package io.weir.internal.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.weir.internal.topology.KeyedMeasures;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;

/** Counters of handlers, as meters. Safe for many threads. */
public final class KeyedMeters extends IntakeMeters implements KeyedMeasures {
  private record Held(int keys, int timers, int waitingEvents, long bytes) {}

  private final Map<Call, Counter> handled;
  private final Map<Call, Counter> failed;
  private final Map<Deletion, Counter> deletions;
  private final Map<Integer, Held> held = new ConcurrentHashMap<>();
  private final Timer lateness;

  /** Registers those whose labels are known, at zero. */
  public KeyedMeters(MeterRegistry registry) {
    super(registry);
    expect(Source.EVENTS);
    handled = meters.counters(EventMetric.HANDLER_CALLS, "call", Call.class);
    failed = meters.counters(EventMetric.HANDLER_FAILURES, "call", Call.class);
    deletions = meters.counters(EventMetric.HANDLER_DELETIONS, "outcome", Deletion.class);
    lateness = meters.histogram(EventMetric.HANDLER_TIMER_LATENESS, EventMeters.LATENESS_BUCKETS);
    meters.gauge(EventMetric.HANDLER_KEYS, this, of -> of.sum(Held::keys));
    meters.gauge(EventMetric.HANDLER_TIMERS_WAITING, this, of -> of.sum(Held::timers));
    meters.gauge(EventMetric.HANDLER_EVENTS_WAITING, this, of -> of.sum(Held::waitingEvents));
    meters.gauge(
        EventMetric.HANDLER_LARGEST_PARTITION,
        held,
        all -> all.values().stream().mapToLong(Held::bytes).max().orElse(0));
  }

  private double sum(ToIntFunction<Held> number) {
    return held.values().stream().mapToInt(number).asLongStream().sum();
  }

  @Override
  public void handled(Call call) {
    handled.get(call).increment();
  }

  @Override
  public void failed(Call call) {
    failed.get(call).increment();
  }

  @Override
  public void deletion(Deletion outcome) {
    deletions.get(outcome).increment();
  }

  @Override
  public void fired(long lateMs) {
    lateness.record(lateMs, TimeUnit.MILLISECONDS);
  }

  @Override
  public void holding(int partition, int keys, int timers, int waitingEvents, long bytes) {
    held.put(partition, new Held(keys, timers, waitingEvents, bytes));
  }

  @Override
  public void gone(int partition) {
    held.remove(partition);
  }
}
