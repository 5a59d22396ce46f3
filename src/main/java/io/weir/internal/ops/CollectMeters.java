package io.weir.internal.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.weir.internal.collect.CollectCounters;
import io.weir.internal.collect.Collector;
import java.util.Locale;

/**
 * The state of a running collector, as meters of the {@link Metric} catalogue. Safe for many
 * threads.
 */
public final class CollectMeters implements ServiceMeters {
  private static final double MS_PER_SECOND = 1_000;

  /** Registers all meters. */
  public CollectMeters(Collector collector, MeterRegistry registry) {
    Registration meters = new Registration(registry);
    CollectCounters counters = collector.counters();
    CollectCounters.kinds()
        .forEach(
            kind ->
                meters.counter(
                    PostgresMetric.COLLECT_ROWS,
                    counters,
                    source -> source.rows(kind),
                    "kind",
                    kind));
    CollectCounters.reasons()
        .forEach(
            reason ->
                meters.counter(
                    PostgresMetric.COLLECT_REJECTS,
                    counters,
                    source -> source.rejects(reason),
                    "reason",
                    reason));
    meters.counter(
        PostgresMetric.COLLECT_REJECTS_DELETED, counters, CollectCounters::rejectsDeleted);
    meters.timer(
        PostgresMetric.COLLECT_BATCHES,
        counters,
        CollectCounters::batches,
        CollectCounters::batchNanos);
    meters.counter(PostgresMetric.COLLECT_RESENT, counters, CollectCounters::resent);
    meters.counter(PostgresMetric.COLLECT_EXPIRED, counters, CollectCounters::expired);
    meters.counter(PostgresMetric.COLLECT_RECONNECTS, counters, CollectCounters::reconnects);
    meters.counter(PostgresMetric.COLLECT_FENCED, counters, CollectCounters::fenced);
    meters.counter(
        PostgresMetric.COLLECT_BUDGET_WAITED,
        counters,
        source -> source.budgetMs() / MS_PER_SECOND);
    meters.gauge(PostgresMetric.COLLECT_BEHIND, collector, Collector::behindRows);
    meters.gauge(PostgresMetric.COLLECT_LIMIT, collector, Collector::limitRows);
    meters.gauge(PostgresMetric.COLLECT_ACTIVE, collector, source -> source.isActive() ? 1 : 0);
    meters.gauge(
        PostgresMetric.COLLECT_CONNECTED, collector, source -> source.isConnected() ? 1 : 0);
    meters.milliseconds(PostgresMetric.COLLECT_DELAY, collector, Collector::oldestMs);
    meters.milliseconds(PostgresMetric.COLLECT_STALLED, collector, Collector::stalledMs);
    Collector.holders()
        .forEach(
            by ->
                meters.milliseconds(
                    PostgresMetric.COLLECT_HELD_BACK,
                    collector,
                    source -> source.heldBackMs(by),
                    "by",
                    by.toLowerCase(Locale.ROOT)));
  }
}
