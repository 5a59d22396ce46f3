package io.weir.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.weir.Seeds;
import io.weir.lab.oracle.NaiveStatistics;
import io.weir.reading.Quality;
import io.weir.v1.WindowSummary;
import io.weir.window.aggregate.StatisticSet;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DerivedTest {
  private static WindowSummary summary(double... values) {
    NaiveStatistics naive = new NaiveStatistics();
    for (double value : values) {
      naive = naive.with(1, value, Quality.GOOD);
    }
    return naive.expected(StatisticSet.HISTOGRAM.bit() | StatisticSet.VARIANCE.bit()).toBuilder()
        .setCount(values.length)
        .setSum(Arrays.stream(values).sum())
        .setMin(Arrays.stream(values).min().orElse(0))
        .setMax(Arrays.stream(values).max().orElse(0))
        .build();
  }

  private static double[] values(Random random) {
    int kind = random.nextInt(4);
    double[] values = new double[1 + random.nextInt(500)];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          switch (kind) {
            case 0 -> 20 + random.nextGaussian();
            case 1 -> random.nextGaussian() * 100;
            case 2 -> random.nextInt(3) - 1;
            default -> Math.scalb(random.nextGaussian(), random.nextInt(1900) - 950);
          };
    }
    return values;
  }

  /** 10 held for 3 s, then 20 for 1 s, and 99 for no time. */
  @Test
  void timeWeightedAverage_weighsEachValueByHowLongItHeld() {
    int integral = StatisticSet.withImplied(StatisticSet.INTEGRAL.bit());
    NaiveStatistics one = new NaiveStatistics().with(1_000, 10, Quality.GOOD);
    NaiveStatistics three = one.with(5_000, 99, Quality.GOOD).with(4_000, 20, Quality.GOOD);
    assertThat(Derived.timeWeightedAverage(three.expected(integral))).hasValue(12.5);
    assertThat(Derived.timeWeightedAverage(one.expected(integral))).isEmpty();
    assertThat(Derived.timeWeightedAverage(summary(1, 2))).isEmpty();
  }

  @Test
  void quantiles_areWithinTheErrorOfTheReadingOfTheirRank() {
    Seeds.forEach(
        500,
        random -> {
          double[] values = values(random);
          WindowSummary window = summary(values);
          double error = Derived.quantileError(window).orElseThrow();
          double[] sorted = values.clone();
          Arrays.sort(sorted);
          for (double q : new double[] {0.001, 0.5, 0.9, 0.95, 0.99, 1}) {
            double exact = sorted[Math.max(1, (int) Math.ceil(q * values.length)) - 1];
            assertThat(Derived.quantile(window, q).orElseThrow())
                .as("q%s of %s", q, Arrays.toString(sorted))
                .isCloseTo(exact, within(Math.abs(exact) * error * 1.000001));
          }
        });
  }

  @Test
  void meanSpreadAndDeviation_followFromTheFields() {
    WindowSummary window = summary(2, 4, 4, 4, 5, 5, 7, 9);
    assertThat(Derived.mean(window)).hasValue(5);
    assertThat(Derived.spread(window)).hasValue(7);
    assertThat(Derived.standardDeviation(window)).hasValue(Math.sqrt(32.0 / 7));
  }

  @Test
  void whatIsNotKnown_isEmpty() {
    WindowSummary none = WindowSummary.getDefaultInstance();
    assertThat(Derived.mean(none)).isEmpty();
    assertThat(Derived.spread(none)).isEmpty();
    WindowSummary plain = WindowSummary.newBuilder().setCount(3).setSum(3).build();
    assertThat(Derived.standardDeviation(plain)).isEmpty();
    assertThat(Derived.quantile(plain, 0.5)).isEmpty();
    assertThat(Derived.quantileError(plain)).isEmpty();
    assertThat(Derived.standardDeviation(summary(7))).isEmpty();
  }
}
