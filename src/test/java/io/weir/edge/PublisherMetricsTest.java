package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.reading.Reading;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PublisherMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  /** As where an application reads its configuration again. */
  @Test
  void gauges_showThePublisherThatCameLast_andGoWithIt() {
    FakeBrokers brokers = new FakeBrokers();
    ReadingPublisher before =
        PublisherRig.publisher(PublisherRig.builder().build(), registry, brokers);
    ReadingPublisher after =
        PublisherRig.publisher(
            PublisherRig.builder().queueCapacity(500).build(), registry, brokers);
    after.offer(new Reading("pump", 1, 1));
    before.core().thread().start();
    before.close(Duration.ZERO);

    assertThat(registry.get(PublisherMetrics.QUEUE_CAPACITY).gauge().value()).isEqualTo(500);
    assertThat(registry.get(PublisherMetrics.QUEUE_READINGS).gauge().value()).isEqualTo(1);

    after.core().thread().start();
    after.close(Duration.ZERO);
    assertThat(registry.find(PublisherMetrics.QUEUE_READINGS).gauges()).isEmpty();
    assertThat(registry.find(PublisherMetrics.QUEUE_CAPACITY).gauges()).isEmpty();
  }

  /** As where each of many devices has a publisher for a while. */
  @Test
  void closedPublisher_leavesNoMeterOfItsId() {
    for (int i = 0; i < 10; i++) {
      ReadingPublisher publisher =
          PublisherRig.publisher(PublisherRig.builder().build(), registry, new FakeBrokers());
      publisher.offer(new Reading("pump", 1, Double.NaN));
      publisher.core().thread().start();
      publisher.close(Duration.ZERO);
    }

    assertThat(registry.getMeters()).isEmpty();
  }
}
