package io.weir.reading;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GatewaySequencesTest {
  @Test
  void anyHistory_agreesWithSetsThatHoldEverything() {
    Seeds.forEach(150, GatewaySequencesTest::history);
  }

  private static void history(Random random) {
    GatewaySequences gateway = new GatewaySequences();
    NaiveGateway naive = new NaiveGateway();
    int boots = 1 + random.nextInt(9);
    for (int step = 0; step < 250; step++) {
      long bootId = 10L * (1 + random.nextInt(boots));
      long sequence = next(naive.highest(bootId), random);
      BatchVerdict verdict = GatewaySequences.judge(gateway, bootId, sequence);
      assertThat(verdict)
          .as("boot %d, sequence %d, step %d", bootId, sequence, step)
          .isEqualTo(naive.judge(bootId, sequence));
      if (verdict == BatchVerdict.NEW) {
        gateway.apply(bootId, sequence, step);
        naive.apply(bootId, sequence);
        assertThat(gateway.lastAppliedMs()).isEqualTo(step);
      }
      assertThat(gateway.lost()).as("lost at step %d", step).isEqualTo(naive.lost());
      if (random.nextInt(20) == 0) {
        gateway = readBack(gateway);
      }
    }
  }

  /** In order, skipping, filling gaps, repeated, jumping, around every limit. */
  private static long next(long highest, Random random) {
    long sequence =
        switch (random.nextInt(12)) {
          case 0 -> highest + 1 + random.nextInt(5);
          case 1 -> highest - random.nextInt(30);
          case 2 -> highest - random.nextInt(1100);
          case 3 -> highest - 1022 - random.nextInt(5);
          case 4 -> highest + 1022 + random.nextInt(5);
          case 5 -> highest + random.nextInt(3000);
          case 6 -> random.nextInt(10) > 0 ? highest : highest + (1 << 20) - 1 + random.nextInt(4);
          default -> highest + 1;
        };
    return Math.max(1, sequence);
  }

  private static GatewaySequences readBack(GatewaySequences gateway) {
    List<BootSequences> boots = new ArrayList<>();
    for (BootSequences boot : gateway.boots()) {
      boots.add(
          boot.complete()
              ? BootSequences.complete(boot.bootId(), boot.highest(), boot.lostForGood())
              : new BootSequences(
                  boot.bootId(), boot.highest(), boot.lostForGood(), boot.bits().clone()));
    }
    return new GatewaySequences(
        boots, gateway.fencedThrough(), gateway.lostOfLetGo(), gateway.lastAppliedMs());
  }

  @Test
  void firstSequence_beyondTheMemory_allBelowItAreLostUntilTheyCome() {
    GatewaySequences gateway = new GatewaySequences();
    gateway.apply(7, 1025, 1);
    assertThat(gateway.lost()).isEqualTo(1024);
    assertThat(GatewaySequences.judge(gateway, 7, 1)).isEqualTo(BatchVerdict.NEW);
    gateway.apply(7, 1, 2);
    assertThat(gateway.lost()).isEqualTo(1023);
    gateway.apply(7, 1026, 3);
    assertThat(GatewaySequences.judge(gateway, 7, 1)).isEqualTo(BatchVerdict.STALE);
    assertThat(gateway.lost()).isEqualTo(1023);
  }

  @Test
  void bootOlderThanTheFourKept_isTakenOnceAndFencedFromThenOn() {
    GatewaySequences gateway = new GatewaySequences();
    for (long bootId = 20; bootId <= 50; bootId += 10) {
      gateway.apply(bootId, 1, 1);
    }
    assertThat(GatewaySequences.judge(gateway, 10, 3)).isEqualTo(BatchVerdict.NEW);
    gateway.apply(10, 3, 2);
    assertThat(GatewaySequences.judge(gateway, 10, 4)).isEqualTo(BatchVerdict.FENCED);
    assertThat(GatewaySequences.judge(gateway, 20, 1)).isEqualTo(BatchVerdict.REPEAT);
    assertThat(gateway.lost()).isEqualTo(2);
  }

  @Test
  void numbersThatAreNone_areInvalid() {
    for (GatewaySequences gateway : new GatewaySequences[] {null, new GatewaySequences()}) {
      assertThat(GatewaySequences.judge(gateway, 5, 0)).isEqualTo(BatchVerdict.INVALID_SEQUENCE);
      assertThat(GatewaySequences.judge(gateway, -1, 5)).isEqualTo(BatchVerdict.INVALID_SEQUENCE);
      assertThat(GatewaySequences.judge(gateway, 5, Long.MIN_VALUE))
          .isEqualTo(BatchVerdict.INVALID_SEQUENCE);
      assertThat(GatewaySequences.judge(gateway, 0, -1)).isEqualTo(BatchVerdict.INVALID_SEQUENCE);
      assertThat(GatewaySequences.judge(gateway, 0, 0)).isEqualTo(BatchVerdict.UNSEQUENCED);
      assertThat(GatewaySequences.judge(gateway, 0, 9)).isEqualTo(BatchVerdict.UNSEQUENCED);
      assertThat(GatewaySequences.judge(gateway, 5, 1 << 20)).isEqualTo(BatchVerdict.NEW);
      assertThat(GatewaySequences.judge(gateway, 5, (1 << 20) + 1))
          .isEqualTo(BatchVerdict.INVALID_SEQUENCE);
    }
  }
}
