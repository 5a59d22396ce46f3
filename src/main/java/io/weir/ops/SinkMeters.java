package io.weir.ops;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.weir.sink.Sink;
import io.weir.sink.SinkCounters;
import io.weir.topic.Topic;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** How a running sink is, as meters of the {@link Metric} catalogue. Safe for many threads. */
public final class SinkMeters implements ServiceMeters {
  /** Registers all of them. */
  public SinkMeters(Sink sink, Iterable<Topic> topics, MeterRegistry registry) {
    SinkCounters counters = sink.counters();
    for (Topic topic : topics) {
      FunctionCounter.builder(Metric.SINK_RECORDS.meterName(), counters, of -> of.records(topic))
          .description(Metric.SINK_RECORDS.meaning())
          .tag("topic", topic.text())
          .register(registry);
    }
    SinkCounters.reasons()
        .forEach(
            reason ->
                FunctionCounter.builder(
                        Metric.SINK_REJECTS.meterName(), counters, of -> of.rejects(reason))
                    .description(Metric.SINK_REJECTS.meaning())
                    .tag("reason", reason)
                    .register(registry));
    FunctionTimer.builder(
            Metric.SINK_TRANSACTIONS.meterName(),
            counters,
            SinkCounters::transactions,
            SinkCounters::transactionNanos,
            TimeUnit.NANOSECONDS)
        .description(Metric.SINK_TRANSACTIONS.meaning())
        .register(registry);
    counter(Metric.SINK_RECONNECTS, counters, SinkCounters::reconnects, registry);
    counter(Metric.SINK_FENCED, counters, SinkCounters::fenced, registry);
    counter(Metric.SINK_LOST, counters, SinkCounters::lost, registry);
    gauge(Metric.SINK_CONNECTED, sink, of -> of.isConnected() ? 1 : 0, registry);
    gauge(Metric.SINK_PARTITIONS, sink, Sink::partitions, registry);
    gauge(Metric.SINK_LAG, sink, Sink::lagRecords, registry);
    TimeGauge.builder(Metric.SINK_DELAY.meterName(), sink, TimeUnit.MILLISECONDS, Sink::delayMs)
        .description(Metric.SINK_DELAY.meaning())
        .strongReference(true)
        .register(registry);
  }

  @Override
  public void refresh() {
    // The meters ask the sink themselves.
  }

  @Override
  public void close() {
    // Nothing was put on the sink.
  }

  private static void gauge(
      Metric metric, Sink sink, ToDoubleFunction<Sink> value, MeterRegistry registry) {
    Gauge.builder(metric.meterName(), sink, value)
        .description(metric.meaning())
        .strongReference(true)
        .register(registry);
  }

  private static void counter(
      Metric metric,
      SinkCounters counters,
      ToDoubleFunction<SinkCounters> value,
      MeterRegistry registry) {
    FunctionCounter.builder(metric.meterName(), counters, value)
        .description(metric.meaning())
        .register(registry);
  }
}
