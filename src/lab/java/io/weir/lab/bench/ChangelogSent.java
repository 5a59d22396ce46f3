package io.weir.lab.bench;

import java.util.Map;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.KafkaStreams;

/**
 * What an application's producers have sent to its changelogs.
 *
 * @param bytes of the batches, compressed
 */
record ChangelogSent(double bytes, double records) {
  static ChangelogSent by(KafkaStreams streams) {
    double bytes = 0;
    double records = 0;
    for (Map.Entry<MetricName, ? extends Metric> metric : streams.metrics().entrySet()) {
      MetricName name = metric.getKey();
      if (!name.group().equals("producer-topic-metrics")
          || !name.tags().getOrDefault("topic", "").endsWith("-changelog")) {
        continue;
      }
      switch (name.name()) {
        case "byte-total" -> bytes += (double) metric.getValue().metricValue();
        case "record-send-total" -> records += (double) metric.getValue().metricValue();
        default -> {}
      }
    }
    return new ChangelogSent(bytes, records);
  }
}
