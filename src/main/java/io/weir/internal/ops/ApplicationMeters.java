package io.weir.internal.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.weir.internal.app.BlockedOutputs;
import io.weir.internal.app.HaltedPartitions;
import io.weir.internal.app.StreamsApplication;
import io.weir.internal.topology.InputProgress;
import io.weir.internal.topology.Progress;
import io.weir.topic.SensorPartition;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams.State;

/**
 * The state of a running application, as meters of the {@link Metric} catalogue, at the last {@link
 * #refresh()}. Safe for many threads.
 */
public final class ApplicationMeters implements ServiceMeters {
  private final StreamsApplication application;
  private final KafkaMeters kafkaMeters;
  private final Registration meters;
  private final Set<TopicPartition> halted = ConcurrentHashMap.newKeySet();
  private volatile StreamsSnapshot snapshot = StreamsSnapshot.NOTHING;

  /** Registers all meters, and Kafka's. */
  public ApplicationMeters(StreamsApplication application, MeterRegistry registry) {
    this.application = application;
    this.kafkaMeters = new KafkaMeters(application.streams());
    kafkaMeters.bindTo(registry);
    meters = new Registration(registry);
    meters.gauge(StreamsMetric.PARTITIONS, this, of -> of.snapshot.partitions());
    meters.gauge(
        StreamsMetric.PARTITIONS_EXPECTED,
        application,
        running -> SensorPartition.COUNT * running.inputTopics().size(),
        "application",
        application.applicationId());
    meters.gauge(StreamsMetric.CONSUMER_LAG, this, of -> of.snapshot.lagRecords());
    meters.gauge(StreamsMetric.RETENTION_USED, this, of -> of.snapshot.retentionUsed());
    meters.gauge(StreamsMetric.RESTORE_REMAINING, application, of -> of.restores().remaining());
    meters.gauge(StreamsMetric.RESTORE_PARTITIONS, application, of -> of.restores().partitions());
    meters.gauge(StreamsMetric.TOPIC_WARNINGS, application, StreamsApplication::topicWarnings);
    meters.gauge(StreamsMetric.THREADS_ALIVE, this, source -> source.snapshot.threadsAlive());
    meters.counter(StreamsMetric.COMMITS, this, source -> source.snapshot.commits());
    meters.counter(StreamsMetric.RECORDS_LOST, application.halted(), HaltedPartitions::recordsLost);
    meters.counter(StreamsMetric.THREADS_DIED, application, StreamsApplication::threadDeaths);
    meters.milliseconds(
        StreamsMetric.OUTPUT_BLOCKED, application.blockedOutputs(), BlockedOutputs::blockedMs);
    meters.counter(
        StreamsMetric.TRANSACTIONS_HALF_ENDED,
        application,
        StreamsApplication::halfEndedTransactions);
    meters.milliseconds(
        StreamsMetric.COMMIT_LATENCY, this, source -> source.snapshot.commitLatencyMs());
    meters.milliseconds(StreamsMetric.COMMIT_AGE, application.progress(), Progress::commitAgeMs);
    meters.milliseconds(
        StreamsMetric.PROCESSING_DELAY,
        this,
        source ->
            source.snapshot.delayMs(source.application.progress(), System.currentTimeMillis()));
    for (State state : State.values()) {
      meters.gauge(
          StreamsMetric.STATE,
          application,
          source -> source.state() == state ? 1 : 0,
          "state",
          state.name());
    }
  }

  @Override
  public void refresh() {
    snapshot = StreamsSnapshot.of(application.streams(), application.inputTopics());
    application.halted().all().stream().filter(halted::add).forEach(this::showHalted);
  }

  private void showHalted(TopicPartition partition) {
    InputProgress progress = application.progress().input(partition.topic());
    meters.gauge(
        StreamsMetric.PARTITIONS_HALTED,
        application.halted(),
        source -> source.has(partition) && progress.owns(partition.partition()) ? 1 : 0,
        "topic",
        partition.topic(),
        "partition",
        String.valueOf(partition.partition()));
  }

  @Override
  public void close() {
    kafkaMeters.close();
  }
}
