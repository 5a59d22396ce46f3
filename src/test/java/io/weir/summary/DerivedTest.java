package io.weir.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.weir.Seeds;
import io.weir.internal.explain.NaiveStatistics;
import io.weir.internal.window.CloseReason;
import io.weir.internal.window.aggregate.Aggregate;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.internal.window.aggregate.Statistics;
import io.weir.reading.Quality;
import io.weir.v1.WindowSummary;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.Supplier;
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
    int kind = random.nextInt(8);
    double[] values = new double[1 + random.nextInt(random.nextBoolean() ? 5 : 500)];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          switch (kind) {
            case 0 -> 20 + random.nextGaussian();
            case 1 -> random.nextGaussian() * 100;
            case 2 -> random.nextInt(3) - 1;
            case 3 -> Math.round(random.nextGaussian() * 100) / 10.0;
            case 4 -> 0.1;
            case 5 -> random.nextInt(5) * Double.MIN_VALUE;
            case 6 -> Double.MAX_VALUE * (random.nextDouble() - 0.25);
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
                .as(() -> "q%s of %s".formatted(q, Arrays.toString(sorted)))
                .isCloseTo(exact, within(Math.abs(exact) * error * 1.000001));
          }
        });
  }

  /** What {@code weir run} writes of readings that are a second apart. */
  private static WindowSummary written(double... values) throws Exception {
    int sets =
        StatisticSet.VARIANCE.bit()
            | StatisticSet.HISTOGRAM.bit()
            | StatisticSet.INTEGRAL.bit()
            | StatisticSet.SUM_REST.bit();
    Aggregate window = new Aggregate(new Statistics(sets, 10_000));
    for (int i = 0; i < values.length; i++) {
      window.add(1_000L * i, values[i], false);
    }
    byte[] id = {'a'};
    long endMs = 1_000L * values.length;
    return WindowSummary.parseFrom(
        WindowSummaryEncoder.encode(id, 0, endMs, 0, window, CloseReason.EVENT_TIME));
  }

  /** All digits that a quotient of such numbers needs before it differs from a tie. */
  private static BigDecimal quotient(BigDecimal a, long b) {
    return a.divide(BigDecimal.valueOf(b), new MathContext(a.precision() + 60));
  }

  private static BigDecimal exact(double... values) {
    return Arrays.stream(values).mapToObj(BigDecimal::new).reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  @Test
  void meanDeviationAndAverage_areTheExactOnes_roundedOnce() {
    Seeds.forEach(
        1_000,
        random -> {
          double[] values = values(random);
          WindowSummary window = written(values);
          Supplier<String> of = () -> " of " + Arrays.toString(values);

          BigDecimal sum = exact(values);
          double mean = Derived.mean(window).orElseThrow();
          assertThat(mean)
              .as(() -> "mean" + of.get())
              .isEqualTo(rounded(quotient(sum, values.length)));
          assertThat(mean).isBetween(window.getMin(), window.getMax());
          if (Double.isFinite(window.getSum())) {
            assertThat(Derived.mean(window.toBuilder().clearMean().build()))
                .as(() -> "of sum and sum_rest" + of.get())
                .hasValue(mean);
          }
          if (values.length > 1) {
            assertThat(Derived.standardDeviation(window).orElseThrow())
                .as(() -> "deviation" + of.get())
                .isEqualTo(deviation(values, sum));
            BigDecimal held = exact(Arrays.copyOf(values, values.length - 1));
            double average = Derived.timeWeightedAverage(window).orElseThrow();
            assertThat(average).isEqualTo(rounded(quotient(held, values.length - 1)));
            assertThat(average).isBetween(window.getMin(), window.getMax());
          }
        });
  }

  private static double rounded(BigDecimal exact) {
    return exact.doubleValue() + 0.0;
  }

  private static double deviation(double[] values, BigDecimal sum) {
    BigDecimal squares = BigDecimal.ZERO;
    for (double value : values) {
      squares = squares.add(new BigDecimal(value).pow(2));
    }
    BigDecimal n = BigDecimal.valueOf(values.length);
    BigDecimal dividend = n.multiply(squares).subtract(sum.pow(2));
    return NaiveStatistics.root(quotient(quotient(dividend, values.length), values.length - 1));
  }

  @Test
  void numbersThatOverflowOnTheWay_areFinite() throws Exception {
    WindowSummary large = written(1e308, 1e308);
    assertThat(large.getSum()).isInfinite();
    assertThat(large.getIntegral()).isInfinite();
    assertThat(Derived.mean(large)).hasValue(1e308);
    assertThat(Derived.timeWeightedAverage(large)).hasValue(1e308);
    assertThat(Derived.standardDeviation(large)).hasValue(0);

    WindowSummary far = written(1e200, -1e200);
    assertThat(far.getM2()).isInfinite();
    assertThat(Derived.standardDeviation(far)).hasValue(1.414213562373095e200);
    assertThat(Derived.mean(far)).hasValue(0);
  }

  /** The sum is 0.30000000000000004, and a third of it is above all readings. */
  @Test
  void theMeanOfEqualReadings_isTheReading() throws Exception {
    assertThat(Derived.mean(written(0.1, 0.1, 0.1))).hasValue(0.1);
    WindowSummary plain =
        WindowSummary.newBuilder()
            .setCount(3)
            .setSum(0.1 + 0.1 + 0.1)
            .setMin(0.1)
            .setMax(0.1)
            .build();
    assertThat(Derived.mean(plain)).as("without sum_rest").hasValue(0.1);
  }

  @Test
  void aZero_hasNoSign() throws Exception {
    WindowSummary zeros = written(-0.0, -0.0, -Double.MIN_VALUE, Double.MIN_VALUE, 0, 0, 0);
    for (OptionalDouble value :
        List.of(
            Derived.mean(zeros),
            Derived.timeWeightedAverage(zeros),
            Derived.quantile(zeros, 0.5),
            Derived.mean(written(-Double.MIN_VALUE, 0, 0, 0)))) {
      assertThat(Double.doubleToRawLongBits(value.orElseThrow())).isZero();
    }
    WindowSummary foreign =
        WindowSummary.newBuilder().setCount(1).setSum(-0.0).setMin(-0.0).setMax(-0.0).build();
    assertThat(Double.doubleToRawLongBits(Derived.mean(foreign).orElseThrow())).isZero();
  }

  /** 0.07 x 100 is 7.000000000000001 in doubles, and 5 / 6 prints as more than it is. */
  @Test
  void theRankOfAQuantile_isThatOfTheFraction() throws Exception {
    double[] values = new double[100];
    Arrays.setAll(values, i -> i + 1);
    WindowSummary window = written(values);
    double error = Derived.quantileError(window).orElseThrow();
    for (int percent = 1; percent <= 100; percent++) {
      assertThat(Derived.quantile(window, percent / 100.0).orElseThrow())
          .isCloseTo(percent, within(percent * error * 1.000001));
    }
  }

  @Test
  void quantilesNearTheLargestDouble_areWithinTheError() throws Exception {
    double[] values = {8.5e307, 9.5e307, 1.2e308, 1.6e308, 1.75e308, Double.MAX_VALUE};
    WindowSummary window = written(values);
    double error = Derived.quantileError(window).orElseThrow();
    for (int i = 0; i < values.length; i++) {
      assertThat(Derived.quantile(window, (i + 1.0) / values.length).orElseThrow())
          .isCloseTo(values[i], within(values[i] * error * 1.000001));
    }
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
