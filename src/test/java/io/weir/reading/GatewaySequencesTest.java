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
    long cutBefore = 10L * random.nextInt(9);
    for (int step = 0; step < 250; step++) {
      long bootId = 10L * (1 + random.nextInt(boots));
      long sequence = next(naive.highest(bootId), random);
      if (random.nextInt(100) == 0) {
        gateway.cut();
        naive.cut();
      }
      boolean cut = bootId < cutBefore;
      BatchVerdict verdict = gateway.judge(bootId, sequence, cut);
      assertThat(verdict)
          .as("boot %d, sequence %d, step %d", bootId, sequence, step)
          .isEqualTo(naive.judge(bootId, sequence, cut));
      if (verdict == BatchVerdict.NEW) {
        gateway.apply(bootId, sequence, step, cut);
        naive.apply(bootId, sequence, cut);
        assertThat(gateway.lastAppliedMs()).isEqualTo(step);
      }
      assertThat(gateway.missing() + gateway.lostForGood())
          .as("lost at step %d", step)
          .isEqualTo(naive.lost());
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
      BootSequences read =
          boot.complete()
              ? BootSequences.complete(
                  boot.bootId(), boot.floor(), boot.highest(), boot.lostForGood())
              : new BootSequences(
                  boot.bootId(),
                  boot.floor(),
                  boot.highest(),
                  boot.lostForGood(),
                  boot.bits().clone());
      read.restoreCut(boot.isCut());
      boots.add(read);
    }
    return new GatewaySequences(
        boots, gateway.fencedThrough(), gateway.lostOfEvicted(), gateway.lastAppliedMs());
  }

  @Test
  void firstSequence_beyondTheMemory_allBelowItAreLostUntilTheyCome() {
    GatewaySequences gateway = new GatewaySequences();
    gateway.apply(7, 1025, 1);
    assertThat(gateway.missing() + gateway.lostForGood()).isEqualTo(1024);
    assertThat(gateway.judge(7, 1)).isEqualTo(BatchVerdict.NEW);
    gateway.apply(7, 1, 2);
    assertThat(gateway.missing() + gateway.lostForGood()).isEqualTo(1023);
    gateway.apply(7, 1026, 3);
    assertThat(gateway.judge(7, 1)).isEqualTo(BatchVerdict.STALE);
    assertThat(gateway.missing() + gateway.lostForGood()).isEqualTo(1023);
  }

  @Test
  void bootOlderThanTheFourKept_isTakenOnceAndFencedFromThenOn() {
    GatewaySequences gateway = new GatewaySequences();
    for (long bootId = 20; bootId <= 50; bootId += 10) {
      gateway.apply(bootId, 1, 1);
    }
    assertThat(gateway.judge(10, 3)).isEqualTo(BatchVerdict.NEW);
    gateway.apply(10, 3, 2);
    assertThat(gateway.judge(10, 4)).isEqualTo(BatchVerdict.FENCED);
    assertThat(gateway.judge(20, 1)).isEqualTo(BatchVerdict.DUPLICATE);
    assertThat(gateway.missing() + gateway.lostForGood()).isEqualTo(2);
  }

  /** What was sent before does not count again, and the boot goes on without a loss. */
  @Test
  void mark_knowsTheHighestBootAndSequence_andNothingElse() {
    GatewaySequences gateway = new GatewaySequences();
    gateway.apply(10, 5, 1);
    gateway.apply(30, 4000, 1);
    gateway.apply(30, 4002, 1);
    assertThat(gateway.isMark()).isFalse();

    gateway.becomeMark();
    assertThat(gateway.isMark()).isTrue();
    gateway = readBack(gateway);
    assertThat(gateway.isMark()).isTrue();
    assertThat(gateway.missing()).isZero();
    assertThat(gateway.lostForGood()).isEqualTo(4 + 3999 + 1);
    assertThat(gateway.judge(10, 6)).isEqualTo(BatchVerdict.FENCED);
    assertThat(gateway.judge(29, 1)).isEqualTo(BatchVerdict.FENCED);
    assertThat(gateway.judge(30, 4001)).isEqualTo(BatchVerdict.STALE);
    assertThat(gateway.judge(30, 4002)).isEqualTo(BatchVerdict.DUPLICATE);
    assertThat(gateway.judge(30, 4003)).isEqualTo(BatchVerdict.NEW);
    assertThat(gateway.judge(30, 4002 + (1 << 20) + 1)).isEqualTo(BatchVerdict.INVALID_SEQUENCE);
    assertThat(gateway.judge(31, 1)).isEqualTo(BatchVerdict.NEW);

    gateway.apply(30, 4004, 2);
    assertThat(gateway.isMark()).isFalse();
    assertThat(gateway.missing()).isEqualTo(1);
    assertThat(gateway.judge(30, 4003)).isEqualTo(BatchVerdict.NEW);
    assertThat(gateway.judge(30, 4004)).isEqualTo(BatchVerdict.DUPLICATE);
    assertThat(gateway.judge(30, 4002)).isEqualTo(BatchVerdict.DUPLICATE);
    for (long sequence = 4005; sequence < 8000; sequence++) {
      gateway.apply(30, sequence, 2);
    }
    assertThat(gateway.missing()).isZero();
    assertThat(gateway.lostForGood()).isEqualTo(4 + 3999 + 1 + 1);
  }
}
