package io.weir.internal.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.junit.jupiter.api.Test;

class BrokerAnswersTest {
  private static final MetricName RECEIVED =
      new MetricName("incoming-byte-total", "consumer-metrics", "", Map.of());

  private long nowMs = 1_000;
  private double bytes = 5;

  @Test
  void answer_isWhenBytesCame_andStaysWhileNoneCome() {
    Metric received =
        new Metric() {
          @Override
          public MetricName metricName() {
            return RECEIVED;
          }

          @Override
          public Object metricValue() {
            return bytes;
          }
        };
    MockConsumer<byte[], byte[]> consumer =
        new MockConsumer<>("earliest") {
          @Override
          public Map<MetricName, ? extends Metric> metrics() {
            return Map.of(RECEIVED, received);
          }
        };
    BrokerAnswers answers = new BrokerAnswers(consumer, () -> nowMs);
    nowMs = 2_000;
    assertThat(answers.newestMs()).isEqualTo(2_000);
    nowMs = 60_000;
    assertThat(answers.newestMs()).as("the brokers are away").isEqualTo(2_000);
    bytes = 6;
    assertThat(answers.newestMs()).isEqualTo(60_000);
  }
}
