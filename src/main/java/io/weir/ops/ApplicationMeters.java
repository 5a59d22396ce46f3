package io.weir.ops;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.weir.app.BlockedOutputs;
import io.weir.app.StreamsApplication;
import io.weir.topology.Progress;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.apache.kafka.streams.KafkaStreams.State;

/**
 * How a running application is, as meters of the {@link Metric} catalogue: they tell of the moment
 * of the last {@link #refresh()}. Safe for many threads.
 */
public final class ApplicationMeters implements ServiceMeters {
  private final StreamsApplication application;
  private final KafkaMeters kafkaMeters;
  private volatile StreamsSnapshot snapshot = StreamsSnapshot.NOTHING;

  /** Registers all of them, and Kafka's own. */
  public ApplicationMeters(StreamsApplication application, MeterRegistry registry) {
    this.application = application;
    this.kafkaMeters = new KafkaMeters(application.streams());
    kafkaMeters.bindTo(registry);
    gauge(Metric.PARTITIONS, of -> of.snapshot.partitions(), registry);
    gauge(Metric.CONSUMER_LAG, of -> of.snapshot.lagRecords(), registry);
    gauge(Metric.RETENTION_USED, of -> of.snapshot.retentionUsed(), registry);
    gauge(Metric.RESTORE_REMAINING, of -> application.restores().remaining(), registry);
    gauge(Metric.RESTORE_PARTITIONS, of -> application.restores().partitions(), registry);
    gauge(Metric.TOPIC_WARNINGS, of -> application.topicWarnings(), registry);
    gauge(Metric.THREADS_ALIVE, of -> of.snapshot.threadsAlive(), registry);
    counter(Metric.COMMITS, of -> of.snapshot.commits(), registry);
    counter(Metric.THREADS_DIED, of -> application.threadDeaths(), registry);
    TimeGauge.builder(
            Metric.OUTPUT_BLOCKED.meterName(),
            application.blockedOutputs(),
            TimeUnit.MILLISECONDS,
            BlockedOutputs::blockedMs)
        .description(Metric.OUTPUT_BLOCKED.meaning())
        .strongReference(true)
        .register(registry);
    TimeGauge.builder(
            Metric.COMMIT_LATENCY.meterName(),
            this,
            TimeUnit.MILLISECONDS,
            of -> of.snapshot.commitLatencyMs())
        .description(Metric.COMMIT_LATENCY.meaning())
        .register(registry);
    TimeGauge.builder(
            Metric.COMMIT_AGE.meterName(),
            application.progress(),
            TimeUnit.MILLISECONDS,
            Progress::commitAgeMs)
        .description(Metric.COMMIT_AGE.meaning())
        .strongReference(true)
        .register(registry);
    TimeGauge.builder(
            Metric.PROCESSING_DELAY.meterName(),
            this,
            TimeUnit.MILLISECONDS,
            of -> of.snapshot.delayMs(application.progress(), System.currentTimeMillis()))
        .description(Metric.PROCESSING_DELAY.meaning())
        .strongReference(true)
        .register(registry);
    for (State state : State.values()) {
      Gauge.builder(Metric.STATE.meterName(), application, of -> of.state() == state ? 1 : 0)
          .description(Metric.STATE.meaning())
          .tag("state", state.name())
          .register(registry);
    }
  }

  @Override
  public void refresh() {
    snapshot = StreamsSnapshot.of(application.streams(), application.inputTopics());
  }

  @Override
  public void close() {
    kafkaMeters.close();
  }

  private void gauge(
      Metric metric, ToDoubleFunction<ApplicationMeters> value, MeterRegistry registry) {
    Gauge.builder(metric.meterName(), this, value)
        .description(metric.meaning())
        .strongReference(true)
        .register(registry);
  }

  private void counter(
      Metric metric, ToDoubleFunction<ApplicationMeters> value, MeterRegistry registry) {
    FunctionCounter.builder(metric.meterName(), this, value)
        .description(metric.meaning())
        .register(registry);
  }
}
