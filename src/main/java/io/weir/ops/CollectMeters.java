package io.weir.ops;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.weir.collect.CollectCounters;
import io.weir.collect.Collector;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** How a running collector is, as meters of the {@link Metric} catalogue. Safe for many threads. */
public final class CollectMeters implements ServiceMeters {
  private static final double MS_PER_SECOND = 1_000;

  /** Registers all of them. */
  public CollectMeters(Collector collector, MeterRegistry registry) {
    CollectCounters counters = collector.counters();
    CollectCounters.kinds()
        .forEach(
            kind ->
                counter(Metric.COLLECT_ROWS, counters, c -> c.rows(kind), registry, "kind", kind));
    CollectCounters.reasons()
        .forEach(
            reason ->
                counter(
                    Metric.COLLECT_REJECTS,
                    counters,
                    c -> c.rejects(reason),
                    registry,
                    "reason",
                    reason));
    FunctionTimer.builder(
            Metric.COLLECT_BATCHES.meterName(),
            counters,
            CollectCounters::batches,
            CollectCounters::batchNanos,
            TimeUnit.NANOSECONDS)
        .description(Metric.COLLECT_BATCHES.meaning())
        .register(registry);
    counter(Metric.COLLECT_RESENT, counters, CollectCounters::resent, registry);
    counter(Metric.COLLECT_RECONNECTS, counters, CollectCounters::reconnects, registry);
    counter(Metric.COLLECT_FENCED, counters, CollectCounters::fenced, registry);
    counter(Metric.COLLECT_BUDGET_WAITED, counters, c -> c.budgetMs() / MS_PER_SECOND, registry);
    gauge(Metric.COLLECT_BEHIND, collector, Collector::behindRows, registry);
    gauge(Metric.COLLECT_LIMIT, collector, Collector::limitRows, registry);
    gauge(Metric.COLLECT_ACTIVE, collector, c -> c.isActive() ? 1 : 0, registry);
    gauge(Metric.COLLECT_CONNECTED, collector, c -> c.isConnected() ? 1 : 0, registry);
    time(Metric.COLLECT_DELAY, collector, Collector::oldestMs, registry);
    Collector.holders()
        .forEach(
            by ->
                time(
                    Metric.COLLECT_HELD_BACK,
                    collector,
                    c -> c.heldBackMs(by),
                    registry,
                    "by",
                    by.toLowerCase(Locale.ROOT)));
  }

  @Override
  public void refresh() {
    // The meters ask the collector themselves.
  }

  @Override
  public void close() {
    // Nothing was put on the collector.
  }

  private static void counter(
      Metric metric,
      CollectCounters counters,
      ToDoubleFunction<CollectCounters> value,
      MeterRegistry registry,
      String... tags) {
    FunctionCounter.builder(metric.meterName(), counters, value)
        .description(metric.meaning())
        .tags(tags)
        .register(registry);
  }

  private static void gauge(
      Metric metric,
      Collector collector,
      ToDoubleFunction<Collector> value,
      MeterRegistry registry) {
    Gauge.builder(metric.meterName(), collector, value)
        .description(metric.meaning())
        .strongReference(true)
        .register(registry);
  }

  private static void time(
      Metric metric,
      Collector collector,
      ToDoubleFunction<Collector> value,
      MeterRegistry registry,
      String... tags) {
    TimeGauge.builder(metric.meterName(), collector, TimeUnit.MILLISECONDS, value)
        .description(metric.meaning())
        .tags(tags)
        .strongReference(true)
        .register(registry);
  }
}
