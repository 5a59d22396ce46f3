package io.weir.internal.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SensorSharesTest {
  private static final long DAY = TimeUnit.DAYS.toNanos(1) + 1;

  private final SensorShares shares = new SensorShares(1_000, new IdentityCounts());

  private int create(String sender, int number, long nowNanos) {
    int admitted = 0;
    for (int i = 0; i < number; i++) {
      admitted += admits(List.of(sender), sender + "/" + nowNanos + "/" + i, nowNanos);
    }
    return admitted;
  }

  private int admits(List<String> senders, String sensorId, long nowNanos) {
    return shares.admits(senders, sensorId, nowNanos) ? 1 : 0;
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
      assertThat(admits(List.of("neighbour"), "neighbour/1/" + i, DAY)).isOne();
    }
    assertThat(create("a", 2_000, DAY)).isZero();

    assertThat(create("a", 2_000, 2 * DAY)).isGreaterThan(700);
    assertThat(create("neighbour", 500, 2 * DAY)).isPositive();
  }

  /** Both write below the same level. */
  @Test
  void partOfASender_leavesRoomForTheOthers() {
    List<String> neighbour = List.of("plant", "plant/line-1");
    List<String> hostile = List.of("plant", "plant/line-7");
    assertThat(admits(neighbour, "n", 1)).isOne();
    int admitted = 0;
    for (int i = 0; i < 2_000; i++) {
      admitted += admits(hostile, "h" + i, 1);
    }
    assertThat(admitted).isBetween(700, 760);
    assertThat(admits(neighbour, "n2", 1)).isOne();
  }

  @Test
  void manyNewSenders_leaveRoomForThoseOfTheDayBefore() {
    create("neighbour", 10, 1);
    admits(List.of(), "stored before the start", 1);
    assertThat(create("neighbour", 10, DAY)).isEqualTo(10);
    int admitted = 0;
    for (int i = 0; i < 2_000; i++) {
      admitted += admits(List.of("new " + i), "h" + i, DAY);
    }
    assertThat(admitted).isBetween(700, 760);
    assertThat(admits(List.of("stored"), "stored before the start", DAY)).isOne();
    for (String old : List.of("neighbour", "stored")) {
      assertThat(admits(List.of(old), old + " 2", DAY)).as(old).isOne();
    }
  }

  /** Topics are up to 1,024 characters long, and a publisher may use each once. */
  @Test
  void sendersWithoutEnd_areCountedTogether() {
    SensorShares large = new SensorShares(100_000, new IdentityCounts());
    int admitted = 0;
    for (int i = 0; i < 100_000; i++) {
      admitted += large.admits(List.of("new " + i), "h" + i, 1) ? 1 : 0;
    }
    assertThat(admitted).isBetween(75_000, 77_000);
  }
}
