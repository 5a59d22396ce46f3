package io.weir.internal.ops;

import io.weir.internal.topology.Progress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.ThreadMetadata;

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
