package io.weir.internal.window.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Seeds;
import io.weir.internal.explain.NaiveStatistics;
import io.weir.reading.Quality;
import io.weir.v1.WindowSummary;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SampleSumsTest {
  private static final int SETS = StatisticSet.INTEGRAL.bit() | StatisticSet.COUNTER.bit();
  private static final int ALL_SAMPLES = Integer.MAX_VALUE;

  private record Sample(long timestampMs, double value) {
    private static final Comparator<Sample> ORDER =
        Comparator.comparingLong(Sample::timestampMs).thenComparing(Sample::value);
  }

  private static Aggregate window(List<Sample> samples, int mostSamples) {
    Aggregate window = new Aggregate(new Statistics(SETS, mostSamples));
    samples.forEach(sample -> window.add(sample.timestampMs(), sample.value(), false));
    return window;
  }

  private static Aggregate window(List<Sample> samples) {
    return window(samples, ALL_SAMPLES);
  }

  private static Aggregate span() {
    return new Aggregate(Statistics.ofSpans(SETS));
  }

  private static Aggregate merged(Aggregate... parts) {
    Aggregate all = span();
    for (Aggregate part : parts) {
      all.merge(part);
    }
    return all;
  }

  private static List<Sample> steps(double... values) {
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      samples.add(new Sample(1_000L * i, values[i]));
    }
    return samples;
  }

  private static List<Sample> random(Random random, int most) {
    List<Sample> samples = new ArrayList<>();
    // Values of all magnitudes are few: the naive model takes long for them.
    int kind = most > 100 ? 1 + random.nextInt(3) : random.nextInt(4);
    long rangeMs = random.nextBoolean() ? 15 : 1_000_000_000_000L;
    for (int i = random.nextInt(most); i >= 0; i--) {
      double value =
          switch (kind) {
            case 0 -> Math.scalb(random.nextGaussian(), random.nextInt(2000) - 1000);
            case 1 -> random.nextGaussian();
            case 2 -> random.nextBoolean() ? 1e16 : -random.nextDouble();
            default -> random.nextInt(4) - 1;
          };
      samples.add(new Sample((long) (random.nextDouble() * rangeMs), value + 0.0));
    }
    return samples;
  }

  private static WindowSummary expected(List<Sample> samples) {
    NaiveStatistics naive = new NaiveStatistics();
    for (Sample sample : samples) {
      naive = naive.with(sample.timestampMs(), sample.value(), Quality.GOOD);
    }
    return naive.expected(StatisticSet.withImplied(SETS));
  }

  private static void assertIs(Aggregate got, List<Sample> samples) {
    WindowSummary expected = expected(samples);
    Statistics statistics = got.statistics();
    assertThat(statistics.hasSums()).isTrue();
    assertSameBits(statistics.integral(), expected.getIntegral());
    assertSameBits(statistics.increase(), expected.getIncrease());
    assertThat(statistics.resets()).isEqualTo(expected.getResets());
    assertThat(statistics.firstTimestampMs()).isEqualTo(expected.getFirstTimestampMs());
    assertThat(statistics.last()).isEqualTo(expected.getLast());
  }

  private static void assertSameBits(double got, double expected) {
    assertThat(Double.doubleToRawLongBits(got))
        .as("%s, expected %s", got, expected)
        .isEqualTo(Double.doubleToRawLongBits(expected));
  }

  @Test
  void window_ofSamplesInAnyOrder_isThatOfTheNaiveModel_askedAtAnyTime() {
    Seeds.forEach(
        1_000,
        random -> {
          List<Sample> samples = random(random, random.nextInt(4) == 0 ? 700 : 60);
          Aggregate window = new Aggregate(new Statistics(SETS, ALL_SAMPLES));
          int asked = random.nextInt(samples.size());
          for (int i = 0; i < samples.size(); i++) {
            window.add(samples.get(i).timestampMs(), samples.get(i).value(), false);
            if (i == asked) {
              assertIs(window, samples.subList(0, i + 1));
            }
          }
          assertIs(window, samples);
        });
  }

  /** A span is merged of neighbours, in any grouping, of windows and of spans. */
  @Test
  void spansMergedOfNeighbours_inAnyGrouping_areThoseOfOnePass() {
    Seeds.forEach(
        1_000,
        random -> {
          List<Sample> samples = random(random, 40);
          samples.sort(Sample.ORDER);
          List<Aggregate> parts = new ArrayList<>();
          for (int from = 0; from < samples.size(); ) {
            int to = Math.min(samples.size(), from + random.nextInt(6));
            List<Sample> some = new ArrayList<>(samples.subList(from, to));
            Collections.shuffle(some, random);
            parts.add(random.nextBoolean() ? window(some) : merged(window(some)));
            from = to;
          }
          parts.add(span());
          while (parts.size() > 1) {
            int at = random.nextInt(parts.size() - 1);
            Aggregate left = parts.get(at);
            Aggregate right = parts.remove(at + 1);
            parts.set(at, random.nextBoolean() ? merged(left, right) : merged(right, left));
          }
          assertIs(parts.get(0), samples);
        });
  }

  @Test
  void counterThatIsReset_countsFrom0_shuffledOrNot() {
    List<Sample> samples = steps(10, 120, 3045, 205, 5200);
    Random random = new Random(3);
    for (int i = 0; i < 100; i++) {
      Statistics statistics = window(samples).statistics();
      assertThat(statistics.increase()).isEqualTo(8_235);
      assertThat(statistics.resets()).isEqualTo(1);
      Collections.shuffle(samples, random);
    }
  }

  /** Each value is held until the next: 0, 0.1, ... 0.9, every second, a hundred times. */
  @Test
  void sawtooth_hasTheExactIntegral_shuffledOrNot() {
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i <= 1_000; i++) {
      samples.add(new Sample(1_000L * i, i % 10 * 0.125));
    }
    Random random = new Random(4);
    for (int i = 0; i < 100; i++) {
      assertThat(window(samples).statistics().integral()).isEqualTo(100 * 45 * 0.125 * 1_000);
      Collections.shuffle(samples, random);
    }
  }

  @Test
  void equalTimes_areTakenByValue() {
    Statistics statistics =
        window(List.of(new Sample(5, 3), new Sample(5, 1), new Sample(7, 0))).statistics();
    assertThat(statistics.integral()).isEqualTo(6);
    assertThat(statistics.increase()).isEqualTo(2);
    assertThat(statistics.resets()).isEqualTo(1);
  }

  @Test
  void oneSample_hasFieldsOf0() {
    Statistics statistics = window(steps(7)).statistics();
    assertThat(statistics.hasSums()).isTrue();
    assertThat(statistics.integral()).isZero();
    assertThat(statistics.increase()).isZero();
  }

  @Test
  void spansThatOverlap_areRefused_andNothingIsAdded() {
    Aggregate span = merged(window(List.of(new Sample(1, 1), new Sample(5, 2))));
    Aggregate within = merged(window(List.of(new Sample(3, 9))));
    assertThatThrownBy(() -> span.merge(within))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("from 3 to 3");
    assertThat(span.count()).isEqualTo(2);
    assertIs(span, List.of(new Sample(1, 1), new Sample(5, 2)));
  }

  /** Also when they are merged: the fields are left out of all that holds such a window. */
  @Test
  void moreSamplesThanAreKept_theFieldsAreNotKnown_butFirstAndLastAre() {
    Aggregate just = window(steps(1, 2, 3), 3);
    Aggregate more = window(steps(1, 2, 3, 4), 3);
    assertThat(just.statistics().samplesOverflowed()).isFalse();
    assertThat(more.statistics().samplesOverflowed()).isTrue();
    assertThat(more.statistics().hasSums()).isFalse();
    assertThat(more.statistics().last()).isEqualTo(4);
    Aggregate later = window(List.of(new Sample(9_000, 1)), 3);
    assertThat(merged(more, later).statistics().hasSums()).isFalse();
    assertThat(merged(later, more).statistics().samplesOverflowed()).isTrue();
    assertThat(merged(later, more).count()).isEqualTo(5);
    just.merge(later);
    assertThat(just.statistics().hasSums()).isFalse();
  }

  @Test
  void integralAndCounter_comeWithFirstAndLast() {
    for (StatisticSet set : List.of(StatisticSet.INTEGRAL, StatisticSet.COUNTER)) {
      assertThat(new Statistics(set.bit(), 1).has(StatisticSet.FIRST_LAST)).isTrue();
      assertThat(Statistics.ofSpans(set.bit()).has(StatisticSet.FIRST_LAST)).isTrue();
    }
    assertThat(StatisticSet.withImplied(StatisticSet.VARIANCE.bit()))
        .isEqualTo(StatisticSet.VARIANCE.bit());
  }
}
