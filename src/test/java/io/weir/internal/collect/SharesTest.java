package io.weir.internal.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SharesTest {
  private static final long SEED = Long.getLong("weir.seed", new Random().nextLong());

  @Test
  void batch_isAsLargeAsItCanBe_andALowerPriorityTakesATenthAtMost() {
    Random random = new Random(SEED);
    Shares shares = new Shares();
    for (int round = 0; round < 20_000; round++) {
      int limit = 1 + random.nextInt(random.nextBoolean() ? 5 : 200);
      int[] waiting = IntStream.range(0, 3).map(any -> waiting(random, limit)).toArray();

      int[] share = shares.share(limit, waiting.clone());

      String as = "seed " + SEED + ", round " + round;
      assertThat(IntStream.of(share).sum())
          .as(as)
          .isEqualTo(Math.min(limit, IntStream.of(waiting).sum()));
      int[] strict = strict(limit, waiting);
      for (int priority = 0; priority < 3; priority++) {
        assertThat(share[priority]).as(as).isBetween(0, waiting[priority]);
        assertThat(share[priority])
            .as(as)
            .isLessThanOrEqualTo(Math.max(strict[priority], (limit + 9) / 10 + 1));
      }
    }
  }

  @Test
  void eachPriorityThatWaits_getsATenth_howeverSmallTheBatches() {
    Random random = new Random(SEED);
    for (int round = 0; round < 200; round++) {
      Shares shares = new Shares();
      int limit = 1 + random.nextInt(random.nextBoolean() ? 5 : 200);
      int[] sent = new int[3];
      for (int batch = 1; batch <= 100; batch++) {
        int[] share = shares.share(limit, new int[] {limit, limit, limit});
        for (int priority = 0; priority < 3; priority++) {
          sent[priority] += share[priority];
          assertThat(sent[priority])
              .as("seed %s, limit %s, batch %s, priority %s", SEED, limit, batch, priority)
              .isGreaterThanOrEqualTo(batch * limit / 10 - 1);
        }
      }
    }
  }

  @Test
  void middlePriority_isNotPassedOver() {
    assertThat(new Shares().share(100, new int[] {100, 100, 100})).containsExactly(80, 10, 10);
    assertThat(new Shares().share(100, new int[] {0, 100, 100})).containsExactly(0, 90, 10);
    assertThat(new Shares().share(100, new int[] {95, 3, 100})).containsExactly(87, 3, 10);
  }

  private static int waiting(Random random, int limit) {
    return random.nextInt(3) == 0 ? 0 : random.nextInt(limit + 1);
  }

  /** One row at a time, the most urgent first. */
  private static int[] strict(int limit, int[] waiting) {
    int[] share = new int[waiting.length];
    for (int row = 0; row < limit; row++) {
      for (int priority = 0; priority < waiting.length; priority++) {
        if (share[priority] < waiting[priority]) {
          share[priority]++;
          break;
        }
      }
    }
    return share;
  }
}
