package io.weir.internal.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.weir.internal.sink.Sink;
import io.weir.internal.sink.SinkCounters;
import io.weir.topic.Topic;

/**
 * The state of a running sink, as meters of the {@link Metric} catalogue. Safe for many threads.
 */
public final class SinkMeters implements ServiceMeters {
  /** Registers all meters. */
  public SinkMeters(Sink sink, Iterable<Topic> topics, MeterRegistry registry) {
    Registration meters = new Registration(registry);
    SinkCounters counters = sink.counters();
    for (Topic topic : topics) {
      meters.counter(
          PostgresMetric.SINK_RECORDS,
          counters,
          source -> source.records(topic),
          "topic",
          topic.text());
    }
    SinkCounters.reasons()
        .forEach(
            reason ->
                meters.counter(
                    PostgresMetric.SINK_REJECTS,
                    counters,
                    source -> source.rejects(reason),
                    "reason",
                    reason));
    meters.counter(PostgresMetric.SINK_REJECTS_DELETED, counters, SinkCounters::rejectsDeleted);
    meters.gauge(PostgresMetric.SINK_WAITING, sink, Sink::waitingRecords);
    meters.timer(
        PostgresMetric.SINK_TRANSACTIONS,
        counters,
        SinkCounters::transactions,
        SinkCounters::transactionNanos);
    meters.counter(PostgresMetric.SINK_RECONNECTS, counters, SinkCounters::reconnects);
    meters.counter(PostgresMetric.SINK_FENCED, counters, SinkCounters::fenced);
    meters.counter(PostgresMetric.SINK_LOST, counters, SinkCounters::lost);
    meters.gauge(PostgresMetric.SINK_CONNECTED, sink, source -> source.isConnected() ? 1 : 0);
    meters.gauge(PostgresMetric.SINK_PARTITIONS, sink, Sink::partitions);
    meters.gauge(PostgresMetric.SINK_LAG, sink, Sink::lagRecords);
    meters.milliseconds(PostgresMetric.SINK_DELAY, sink, Sink::delayMs);
    meters.milliseconds(PostgresMetric.SINK_STALLED, sink, Sink::stalledMs);
  }
}
