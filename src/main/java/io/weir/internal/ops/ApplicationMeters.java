package io.weir.internal.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.weir.internal.app.BlockedOutputs;
import io.weir.internal.app.HaltedPartitions;
import io.weir.internal.app.StreamsApplication;
import io.weir.internal.topology.InputProgress;
import io.weir.internal.topology.Progress;
import io.weir.topic.SensorPartition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.ThreadMetadata;

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

  /**
   * The metrics of Kafka Streams at one time, summed over its threads.
   *
   * @param partitions assigned partitions of the input topics
   * @param lags unread records of each of them, if known
   * @param leads retained records of each of them that were read
   * @param commits committed transactions of live threads
   * @param commitLatencyMs the recent maximum
   * @param threadsAlive stream threads
   */
  record StreamsSnapshot(
      int partitions,
      Map<TopicPartition, Double> lags,
      Map<TopicPartition, Double> leads,
      double commits,
      double commitLatencyMs,
      int threadsAlive) {
    static final StreamsSnapshot NOTHING = new StreamsSnapshot(0, Map.of(), Map.of(), 0, 0, 0);

    private static final String CONSUMER = "consumer-fetch-manager-metrics";
    private static final String THREAD = "stream-thread-metrics";

    /** Reads all metrics of all clients; takes a few milliseconds. */
    static StreamsSnapshot of(KafkaStreams streams, List<String> inputTopics) {
      // Kafka is changing the form of topic names in tags, and reports both forms.
      Map<TopicPartition, Double> lags = new HashMap<>();
      Map<TopicPartition, Double> leads = new HashMap<>();
      Map<String, String> inputs = new HashMap<>();
      inputTopics.forEach(topic -> inputs.put(plain(topic), topic));
      double commits = 0;
      double latencyMs = 0;
      for (Map.Entry<MetricName, ? extends Metric> entry : streams.metrics().entrySet()) {
        MetricName name = entry.getKey();
        String input = inputs.get(plain(name.tags().get("topic")));
        if (input != null && is(name, CONSUMER, "records-lag")) {
          lags.merge(partition(input, name), number(entry.getValue()), Math::max);
        } else if (input != null && is(name, CONSUMER, "records-lead")) {
          leads.merge(partition(input, name), number(entry.getValue()), Math::min);
        } else if (is(name, THREAD, "commit-total")) {
          commits += number(entry.getValue());
        } else if (is(name, THREAD, "commit-latency-max")) {
          latencyMs = Math.max(latencyMs, number(entry.getValue()));
        }
      }
      int partitions = 0;
      int alive = 0;
      for (ThreadMetadata thread : streams.metadataForLocalThreads()) {
        partitions += thread.activeTasks().size();
        alive += thread.threadState().equals("DEAD") ? 0 : 1;
      }
      return new StreamsSnapshot(
          partitions, Map.copyOf(lags), Map.copyOf(leads), commits, latencyMs, alive);
    }

    /** The sum of their unread records. */
    double lagRecords() {
      return lags.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /**
     * The unread share of the records that the topic retains, in the partition where it is largest:
     * at 1 the next deleted record is unread.
     */
    double retentionUsed() {
      return lags.entrySet().stream()
          .filter(lag -> lag.getValue() > 0 && leads.containsKey(lag.getKey()))
          .mapToDouble(lag -> lag.getValue() / (lag.getValue() + leads.get(lag.getKey())))
          .max()
          .orElse(0);
    }

    /** The age of the newest processed record, in the partition that is furthest behind. */
    double delayMs(Progress progress, long nowMs) {
      return lags.entrySet().stream()
          .filter(lag -> lag.getValue() > 0)
          .mapToLong(lag -> delayMs(progress, lag.getKey(), nowMs))
          .max()
          .orElse(0);
    }

    private static TopicPartition partition(String topic, MetricName name) {
      return new TopicPartition(topic, Integer.parseInt(name.tags().get("partition")));
    }

    private static long delayMs(Progress progress, TopicPartition partition, long nowMs) {
      return progress.input(partition.topic()).delayMs(partition.partition(), nowMs);
    }

    private static boolean is(MetricName name, String group, String what) {
      return name.name().equals(what) && name.group().equals(group);
    }

    private static String plain(String topic) {
      return topic == null ? "" : topic.replace('.', '_');
    }

    private static double number(Metric metric) {
      return metric.metricValue() instanceof Double value && !value.isNaN() ? value : 0;
    }
  }
}
