package io.weir.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SharesTest {
  private static final long SEED = Long.getLong("weir.seed", new Random().nextLong());

  @Test
  void batch_isAsLargeAsItCanBe_andGivesTheLowestATenthAtMostMore() {
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
        boolean lowest = priority == lowest(waiting);
        if (!lowest) {
          assertThat(share[priority]).as(as).isLessThanOrEqualTo(strict[priority]);
        } else {
          assertThat(share[priority])
              .as(as)
              .isBetween(strict[priority], Math.max(strict[priority], limit / 10 + 1));
        }
      }
    }
  }

  @Test
  void lowest_getsATenth_howeverSmallTheBatches() {
    Shares shares = new Shares();
    int low = 0;
    for (int batch = 0; batch < 100; batch++) {
      int[] share = shares.share(3, new int[] {3, 3, 3});
      assertThat(share[1]).isZero();
      low += share[2];
    }
    assertThat(low).isEqualTo(30);
  }

  private static int waiting(Random random, int limit) {
    return random.nextInt(3) == 0 ? 0 : random.nextInt(limit + 1);
  }

  private static int lowest(int[] waiting) {
    int lowest = 0;
    for (int priority = 0; priority < waiting.length; priority++) {
      lowest = waiting[priority] > 0 ? priority : lowest;
    }
    return lowest;
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
