package io.weir.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.v1.AcceptedLoss;
import org.junit.jupiter.api.Test;

class LeftWindowsTest {
  @Test
  void windows_areThoseThatWereAdded_andNoOthersOfTheirSensors() {
    LeftWindows left = new LeftWindows();
    left.add("a", 20_000);
    left.add("b", -10_000);

    LeftWindows read = LeftWindows.of(order(left));
    assertThat(read.contains("a", 20_000)).isTrue();
    assertThat(read.contains("b", -10_000)).isTrue();
    assertThat(read.contains("a", 10_000)).isFalse();
    assertThat(read.contains("b", 20_000)).isFalse();
  }

  @Test
  void asManyAsAnOrderCanName_fitInARecord_withOneMoreItNamesTheOthers() {
    LeftWindows left = new LeftWindows();
    for (int i = 0; i < LeftWindows.MOST; i++) {
      left.add("sensor", i);
      left.addEmitted("other", i);
    }
    AcceptedLoss most = order(left);
    assertThat(most.getSerializedSize()).isLessThan(600_000);
    assertThat(LeftWindows.of(most).contains("sensor", 5)).isTrue();
    assertThat(LeftWindows.of(most).contains("other", 5)).isFalse();

    left.add("sensor", LeftWindows.MOST);
    AcceptedLoss others = order(left);
    assertThat(left.isAll()).isFalse();
    assertThat(others.getSerializedSize()).isLessThan(600_000);
    assertThat(LeftWindows.of(others).contains("sensor", 5)).isTrue();
    assertThat(LeftWindows.of(others).contains("other", 5)).isFalse();
  }

  @Test
  void moreThanAnOrderCanName_bothWays_areAll() {
    LeftWindows left = new LeftWindows();
    for (int i = 0; i <= LeftWindows.MOST; i++) {
      left.add("sensor", i);
      left.addEmitted("other", i);
    }
    AcceptedLoss all = order(left);
    assertThat(left.isAll()).isTrue();
    assertThat(all.getSerializedSize()).isLessThan(100);
    assertThat(LeftWindows.of(all).contains("sensor", 5)).isTrue();
    assertThat(LeftWindows.of(all).contains("other", 5)).isTrue();
  }

  @Test
  void ordersOfOlderVersions_nameNone_orSayAll() {
    AcceptedLoss all = AcceptedLoss.newBuilder().setLeftAll(true).build();
    assertThat(LeftWindows.of(all).contains("any", 0)).isTrue();
    AcceptedLoss order = AcceptedLoss.newBuilder().setPublishedBeforeMs(7).build();
    assertThat(LeftWindows.of(order).contains("any", 0)).isFalse();
  }

  private static AcceptedLoss order(LeftWindows left) {
    AcceptedLoss.Builder order = AcceptedLoss.newBuilder();
    left.writeTo(order);
    return order.build();
  }
}
