package io.weir.internal.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SensorSharesTest {
  private static final long DAY = TimeUnit.DAYS.toNanos(1) + 1;

  private final SensorShares shares = new SensorShares(1_000, new IdentityCounts());

  private int create(String sender, int number, long nowNanos) {
    int admitted = 0;
    for (int i = 0; i < number; i++) {
      admitted += shares.admits(sender, sender + "/" + nowNanos + "/" + i, nowNanos) ? 1 : 0;
    }
    return admitted;
  }

  @Test
  void oneSenderAlone_mayCreateThemAll() {
    assertThat(create("a", 2_000, 1)).isEqualTo(1_000);
  }

  @Test
  void senderWithTheMost_leavesRoomForOthers() {
    assertThat(create("neighbour", 10, 1)).isEqualTo(10);
    assertThat(create("a", 2_000, 1)).isBetween(700, 760);
    assertThat(create("b", 50, 1)).isEqualTo(50);
    assertThat(create("neighbour", 10, 1)).as("they are known").isEqualTo(10);
    assertThat(create("a", 100, 1)).as("they are known").isEqualTo(100);
    assertThat(create("a", 100, 2)).isZero();
  }

  @Test
  void sensorsThatNobodyWrites_areForgotten_andThoseThatAreWrittenAreNot() {
    create("neighbour", 10, 1);
    assertThat(create("a", 2_000, 1)).isGreaterThan(700);
    for (int i = 0; i < 10; i++) {
      assertThat(shares.admits("neighbour", "neighbour/1/" + i, DAY)).isTrue();
    }
    assertThat(create("a", 2_000, DAY)).isZero();

    assertThat(create("a", 2_000, 2 * DAY)).isGreaterThan(700);
    assertThat(create("neighbour", 500, 2 * DAY)).isPositive();
  }
}
