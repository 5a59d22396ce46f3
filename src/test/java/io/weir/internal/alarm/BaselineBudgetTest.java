package io.weir.internal.alarm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BaselineBudgetTest {
  private static final long BYTES = 4 << 20;
  private static final int DAY = 8_640;

  private final BaselineBudget budget = new BaselineBudget(BYTES);
  private final AlarmJudge judge = new AlarmJudge(10_000, null, budget);
  private final Rules rules =
      RulesText.of(
          10_000,
          List.of("{name: d, sensors: '*', deviation: {of: mean, baseline: 24h, sigmas: 4}}"));

  /** They took a gigabyte. */
  @Test
  void baselinesOfThousandsOfSensors_takeWhatTheyMay_andLeaveRoomForANeighbour() {
    List<KeptStatus> sensors = new ArrayList<>();
    for (int sensor = 0; sensor < 16_000; sensor++) {
      KeptStatus status = status("hostile");
      sensors.add(status);
      for (int window = 0; window < 40; window++) {
        add(status, 300L * window);
      }
    }
    long bytes = sensors.stream().mapToLong(KeptStatus::baselineBytes).sum();
    assertThat(bytes).isBetween(BYTES / 3, BYTES / 2);

    KeptStatus neighbour = status("neighbour");
    for (int window = 0; window < 2 * DAY; window++) {
      add(neighbour, window);
    }
    assertThat(baseline(neighbour).before(2 * DAY).windows()).isEqualTo(DAY);
  }

  /** What has no room now has it once others are gone, and holds no window that has left. */
  @Test
  void roomThatOthersLeave_isTaken_andWindowsLeaveWithoutIt() {
    KeptStatus first = status("a");
    add(first, 0);
    budget.grow("b", BYTES);
    for (int window = 1; window < 300; window++) {
      add(first, window);
    }
    assertThat(baseline(first).before(300).windows()).isEqualTo(Baseline.CHUNK);
    budget.grow("b", -BYTES);
    add(first, 300);
    assertThat(baseline(first).before(301).windows()).isEqualTo(Baseline.CHUNK + 1);
    budget.grow("b", BYTES);
    add(first, 2 * DAY);
    assertThat(baseline(first).before(2 * DAY + 1).windows()).isZero();
    assertThat(budget.bytes()).isEqualTo(BYTES);
  }

  @Test
  void bytes_areThoseOfTheWindowsThatAreKept() {
    Random random = new Random(3);
    KeptStatus status = status("a");
    long window = 0;
    for (int i = 0; i < 500; i++) {
      window += 1 + random.nextInt(random.nextInt(20) == 0 ? 2 * DAY : 40);
      add(status, window);
      Baseline kept = baseline(status);
      Baseline again = new Baseline(kept.spec());
      for (int chunk = 0; chunk < kept.chunks(); chunk++) {
        again.restore(chunk, kept.newest(), kept.chunk(chunk));
      }
      assertThat(again.bytes()).isEqualTo(kept.bytes());
      assertThat(budget.bytes()).isEqualTo(kept.bytes());
    }
  }

  private KeptStatus status(String gatewayId) {
    KeptStatus status = new KeptStatus(new Rules.Matcher(rules).of("s"));
    status.gatewayId(gatewayId);
    return status;
  }

  private void add(KeptStatus status, long window) {
    judge.add(status, status.conditions().baselines()[0], window, 1);
  }

  private static Baseline baseline(KeptStatus status) {
    return status.baseline(status.conditions().baselines()[0]);
  }
}
