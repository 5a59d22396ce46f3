package io.weir.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.v1.AcceptedLoss;
import io.weir.v1.PublishedSensors;
import org.junit.jupiter.api.Test;

class PublishedBeforeTest {
  @Test
  void sensors_haveTheTimeAfterTheirNewestWindow_andOthersNone() {
    PublishedBefore published = new PublishedBefore();
    published.add("a", 20_000);
    published.add("a", 10_000);
    published.add("b", 30_000);

    PublishedBefore read = PublishedBefore.of(order(published));
    assertThat(read.ofSensor("a")).isEqualTo(20_001);
    assertThat(read.ofSensor("b")).isEqualTo(30_001);
    assertThat(read.ofSensor("c")).isZero();
  }

  /** More are withheld then, and never fewer; the order stays far smaller than a record may be. */
  @Test
  void moreSensorsThanFit_haveNoEarlierTime() {
    PublishedBefore published = new PublishedBefore();
    for (int i = 0; i < 100_000; i++) {
      published.add("sensor-" + i, i);
    }

    AcceptedLoss order = order(published);
    PublishedBefore read = PublishedBefore.of(order);
    for (int i = 0; i < 100_000; i++) {
      assertThat(read.ofSensor("sensor-" + i)).isGreaterThan(i);
    }
    assertThat(order.getSerializedSize()).isLessThan(100_000);
    assertThat(order.getPublishedBeforeMs()).isEqualTo(100_000);
  }

  @Test
  void orderOfAnOlderVersion_hasOneTimeForAllSensors() {
    AcceptedLoss order = AcceptedLoss.newBuilder().setPublishedBeforeMs(7).build();
    assertThat(PublishedBefore.of(order).ofSensor("any")).isEqualTo(7);
  }

  @Test
  void orderWithHashesWithoutTimes_hasOneTimeForAllSensors() {
    AcceptedLoss order =
        AcceptedLoss.newBuilder()
            .setPublishedBeforeMs(7)
            .setPublishedSensors(PublishedSensors.newBuilder().addHash(1))
            .build();
    assertThat(PublishedBefore.of(order).ofSensor("any")).isEqualTo(7);
  }

  private static AcceptedLoss order(PublishedBefore published) {
    AcceptedLoss.Builder order = AcceptedLoss.newBuilder();
    published.writeTo(order);
    return order.build();
  }
}
