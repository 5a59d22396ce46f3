package io.weir.internal.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.weir.internal.topology.KeyedMeasures;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;

/** Counters of handlers, as meters. Safe for many threads. */
public final class KeyedMeters extends IntakeMeters implements KeyedMeasures {
  private record Held(int keys, int timers, int waitingEvents, long bytes) {}

  private final Map<Call, Counter> handled = new EnumMap<>(Call.class);
  private final Map<Call, Counter> failed = new EnumMap<>(Call.class);
  private final Map<Deletion, Counter> deletions = new EnumMap<>(Deletion.class);
  private final Map<Integer, Held> held = new ConcurrentHashMap<>();
  private final Timer lateness;

  /** Registers those whose labels are known, at zero. */
  public KeyedMeters(MeterRegistry registry) {
    super(registry);
    expect(Source.EVENTS);
    for (Call call : Call.values()) {
      handled.put(call, counter(EventMetric.HANDLER_CALLS, Tags.of("call", word(call))));
      failed.put(call, counter(EventMetric.HANDLER_FAILURES, Tags.of("call", word(call))));
    }
    for (Deletion outcome : Deletion.values()) {
      deletions.put(
          outcome, counter(EventMetric.HANDLER_DELETIONS, Tags.of("outcome", word(outcome))));
    }
    lateness =
        Timer.builder(EventMetric.HANDLER_TIMER_LATENESS.meterName())
            .description(EventMetric.HANDLER_TIMER_LATENESS.meaning())
            .serviceLevelObjectives(EventMeters.LATENESS_BUCKETS)
            .register(registry);
    gauge(EventMetric.HANDLER_KEYS, Held::keys, registry);
    gauge(EventMetric.HANDLER_TIMERS_WAITING, Held::timers, registry);
    gauge(EventMetric.HANDLER_EVENTS_WAITING, Held::waitingEvents, registry);
    Gauge.builder(
            EventMetric.HANDLER_LARGEST_PARTITION.meterName(),
            held,
            all -> all.values().stream().mapToLong(Held::bytes).max().orElse(0))
        .description(EventMetric.HANDLER_LARGEST_PARTITION.meaning())
        .register(registry);
  }

  private void gauge(Metric metric, ToIntFunction<Held> number, MeterRegistry registry) {
    Gauge.builder(
            metric.meterName(),
            held,
            all -> all.values().stream().mapToInt(number).asLongStream().sum())
        .description(metric.meaning())
        .register(registry);
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
