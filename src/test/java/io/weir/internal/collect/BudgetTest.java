package io.weir.internal.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.app.Rate;
import io.weir.internal.collect.Budget.Bucket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BudgetTest {
  private static final long SEED = Long.getLong("weir.seed", new Random().nextLong());

  @Test
  void rate_isNotExceeded_inAnySpanOfItsUnit() {
    Random random = new Random(SEED);
    for (int round = 0; round < 200; round++) {
      Rate rate = Rate.parse(1 + random.nextInt(600) + "/" + "smhd".charAt(random.nextInt(4)));
      long burst = 1 + random.nextInt(random.nextBoolean() ? 3 : 100);
      long nowNanos = random.nextLong() >> 1;
      Budget budget = new Budget(rate, burst, nowNanos);
      List<Long> left = new ArrayList<>();
      long unitNanos = rate.unit().toNanos();
      for (int step = 0; step < 300; step++) {
        nowNanos += (long) (random.nextDouble() * unitNanos / rate.rows() * burst * 2);
        if (random.nextInt(10) == 0) {
          nowNanos += budget.nextInNanos(nowNanos);
        }
        long available = budget.available(nowNanos);
        assertThat(available).isBetween(0L, burst);
        long count = available == 0 ? 0 : 1 + random.nextLong(available);
        budget.spend(count);
        for (int i = 0; i < count; i++) {
          left.add(nowNanos);
        }
      }
      assertThat(mostInASpan(left, unitNanos))
          .as("seed %s, round %s, %s, burst %s", SEED, round, rate, burst)
          .isLessThanOrEqualTo(rate.rows() + burst - 1);
    }
  }

  @Test
  void rate_isNotExceeded_howeverOftenAnotherProcessGoesOn() {
    Random random = new Random(SEED);
    for (int round = 0; round < 200; round++) {
      Rate rate = Rate.parse(1 + random.nextInt(600) + "/" + "smhd".charAt(random.nextInt(4)));
      long burst = 1 + random.nextInt(100);
      long unitNanos = rate.unit().toNanos();
      // Both have stood by for long: their own buckets would be full.
      Budget[] processes = {new Budget(rate, burst, 0), new Budget(rate, burst, 0)};
      long nowNanos = 2 * unitNanos * burst;
      Bucket kept = new Bucket(0, 0);
      List<Long> left = new ArrayList<>();
      for (int step = 0; step < 300; step++) {
        Budget budget = processes[random.nextInt(2)];
        budget.restore(kept, nowNanos);
        long count = Math.min(budget.available(nowNanos), random.nextInt(20));
        kept = budget.after(count, nowNanos);
        for (int i = 0; i < count; i++) {
          left.add(nowNanos);
        }
        long pauseMicros =
            (long) (random.nextDouble() * unitNanos / 1_000 / rate.rows() * burst * 2);
        nowNanos += 1_000 * pauseMicros;
        kept = new Bucket(kept.tokens(), kept.ageMicros() + pauseMicros);
      }
      assertThat(mostInASpan(left, unitNanos))
          .as("seed %s, round %s, %s, burst %s", SEED, round, rate, burst)
          .isLessThanOrEqualTo(rate.rows() + burst - 1);
    }
  }

  @Test
  void rateIsReached_bySomebodyWhoTakesAllAtOnce() {
    for (String text : List.of("500/s", "23/m", "7/h", "33333/d")) {
      Rate rate = Rate.parse(text);
      Budget budget = new Budget(rate, 1, 0);
      long nowNanos = 0;
      long taken = 0;
      while (nowNanos <= rate.unit().toNanos()) {
        long available = budget.available(nowNanos);
        budget.spend(available);
        taken += available;
        nowNanos += budget.nextInNanos(nowNanos);
      }
      assertThat(taken).as(text).isBetween(rate.rows() - 1, rate.rows());
    }
  }

  @Test
  void nextInNanos_isTheTimeOfTheNextToken() {
    Budget budget = new Budget(Rate.parse("500/s"), 10, 0);

    assertThat(budget.nextInNanos(0)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(2));
    assertThat(budget.available(TimeUnit.MILLISECONDS.toNanos(2) - 1)).isZero();
    assertThat(budget.available(TimeUnit.MILLISECONDS.toNanos(2))).isEqualTo(1);
    assertThat(budget.available(TimeUnit.DAYS.toNanos(300))).isEqualTo(10);
  }

  /** One by one: how many left from each of them on, until the unit was over. */
  private static long mostInASpan(List<Long> left, long unitNanos) {
    long most = 0;
    int end = 0;
    for (int start = 0; start < left.size(); start++) {
      while (end < left.size() && left.get(end) - left.get(start) < unitNanos) {
        end++;
      }
      most = Math.max(most, end - start);
    }
    return most;
  }
}
