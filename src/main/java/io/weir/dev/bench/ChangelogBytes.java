package io.weir.dev.bench;

import java.util.Map;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.KafkaStreams;

/** What an application's producers have sent to its changelogs, compressed. */
final class ChangelogBytes {
  private ChangelogBytes() {}

  static double sentBy(KafkaStreams streams) {
    double bytes = 0;
    for (Map.Entry<MetricName, ? extends Metric> metric : streams.metrics().entrySet()) {
      MetricName name = metric.getKey();
      if (name.name().equals("byte-total")
          && name.group().equals("producer-topic-metrics")
          && name.tags().getOrDefault("topic", "").endsWith("-changelog")) {
        bytes += (double) metric.getValue().metricValue();
      }
    }
    return bytes;
  }
}
