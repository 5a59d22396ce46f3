package io.weir.internal.window.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.weir.Seeds;
import io.weir.internal.explain.NaiveStatistics;
import io.weir.internal.window.aggregate.ExponentialHistogram.BucketIndex;
import io.weir.reading.Quality;
import io.weir.v1.WindowSummary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StatisticsTest {
  private static final int ALL = (1 << StatisticSet.values().length) - 1;
  private static final int MOST_SAMPLES = 1_000;

  private record Sample(long timestampMs, double value, boolean uncertain) {}

  private static Aggregate of(List<Sample> samples) {
    Aggregate aggregate = new Aggregate(new Statistics(ALL, MOST_SAMPLES));
    for (Sample sample : samples) {
      aggregate.add(sample.timestampMs(), sample.value(), sample.uncertain());
    }
    return aggregate;
  }

  private static List<Sample> random(Random random) {
    List<Sample> samples = new ArrayList<>();
    int kind = random.nextInt(5);
    for (int i = 1 + random.nextInt(60); i > 0; i--) {
      double value =
          switch (kind) {
            case 0 -> random.nextGaussian();
            case 1 -> 1e9 + random.nextGaussian() * 1e-3;
            case 2 -> Math.scalb(random.nextGaussian(), random.nextInt(2000) - 1000);
            case 3 -> Math.scalb(1, random.nextInt(20) - 10) * (random.nextBoolean() ? 1 : -1);
            default -> random.nextInt(3) - 1;
          };
      samples.add(new Sample(random.nextInt(20), value, random.nextInt(4) == 0));
    }
    return samples;
  }

  /** The statistics as a summary would have them. */
  private static WindowSummary proto(Aggregate aggregate) {
    Statistics statistics = aggregate.statistics();
    WindowSummary.Builder builder = WindowSummary.newBuilder();
    if (statistics.hasSums()) {
      builder.setIntegral(statistics.integral());
      builder.setIncrease(statistics.increase()).setResets(statistics.resets());
    }
    if (statistics.hasTimeWeightedAverage()) {
      builder.setTimeWeightedAverage(statistics.timeWeightedAverage());
    }
    if (aggregate.count() > 1) {
      builder.setStandardDeviation(aggregate.standardDeviation());
    }
    return builder
        .setFirstTimestampMs(statistics.firstTimestampMs())
        .setFirst(statistics.first())
        .setLastTimestampMs(statistics.lastTimestampMs())
        .setLast(statistics.last())
        .setM2(aggregate.m2())
        .setHistogram(proto(statistics.histogram()))
        .setUncertainCount(statistics.uncertainCount())
        .addAllSumRest(Arrays.stream(aggregate.sumRest()).boxed().toList())
        .build();
  }

  private static io.weir.v1.ExponentialHistogram proto(ExponentialHistogram histogram) {
    io.weir.v1.ExponentialHistogram.Builder builder =
        io.weir.v1.ExponentialHistogram.newBuilder()
            .setScale(histogram.scale())
            .setZeroCount(histogram.zeroCount());
    if (histogram.positive().size() > 0) {
      builder.setPositive(proto(histogram.positive()));
    }
    if (histogram.negative().size() > 0) {
      builder.setNegative(proto(histogram.negative()));
    }
    return builder.build();
  }

  private static io.weir.v1.ExponentialHistogram.Buckets proto(ExponentialHistogram.Buckets side) {
    io.weir.v1.ExponentialHistogram.Buckets.Builder builder =
        io.weir.v1.ExponentialHistogram.Buckets.newBuilder().setOffset(side.offset());
    for (int i = 0; i < side.size(); i++) {
      builder.addCounts(side.count(i));
    }
    return builder.build();
  }

  private static WindowSummary expected(List<Sample> samples) {
    NaiveStatistics naive = new NaiveStatistics();
    for (Sample sample : samples) {
      Quality quality = sample.uncertain() ? Quality.UNCERTAIN : Quality.GOOD;
      naive = naive.with(sample.timestampMs(), sample.value(), quality);
    }
    return naive.expected(ALL);
  }

  @Test
  void everyField_inAnyOrderAndSplit_isThatOfTheNaiveModel() {
    Seeds.forEach(
        1_000,
        random -> {
          List<Sample> samples = random(random);
          WindowSummary expected = expected(samples);
          assertThat(proto(of(samples))).isEqualTo(expected);
          Collections.shuffle(samples, random);
          int cut = random.nextInt(samples.size() + 1);
          Aggregate left = of(samples.subList(0, cut));
          Aggregate right = of(samples.subList(cut, samples.size()));
          Aggregate merged = new Aggregate(new Statistics(ALL, MOST_SAMPLES));
          merged.merge(left);
          merged.merge(right);
          assertThat(proto(merged)).isEqualTo(expected);
          assertThat(proto(right).getUncertainCount())
              .isEqualTo(expected(samples.subList(cut, samples.size())).getUncertainCount());
        });
  }

  @Test
  void variance_ofAMeanFarAboveTheDeviation_keepsItsDigits() {
    Random random = new Random(5);
    List<Sample> samples = new ArrayList<>();
    double squares = 0;
    for (int i = 0; i < 10_000; i++) {
      // Multiples of 2^-20, which a double of this size holds as they are.
      double deviation = Math.rint(random.nextGaussian() * 1e-3 * 0x1p20) / 0x1p20;
      samples.add(new Sample(i, 1e9 + deviation, false));
      samples.add(new Sample(i, 1e9 - deviation, false));
      squares += 2 * deviation * deviation;
    }
    assertThat(of(samples).m2()).isCloseTo(squares, within(squares * 1e-12));
  }

  @Test
  void equalTimes_smallestIsFirst_largestIsLast() {
    Statistics statistics =
        of(List.of(new Sample(7, 2, false), new Sample(7, 1, false), new Sample(7, 3, false)))
            .statistics();
    assertThat(statistics.first()).isEqualTo(1);
    assertThat(statistics.last()).isEqualTo(3);
  }

  /** A bucket's upper bound belongs to it: powers of two are at the end of theirs. */
  @Test
  void bucketIndex_ofPowersOfTwo_andTheirNeighbours() {
    for (int exponent = -1074; exponent <= 1023; exponent++) {
      double power = Math.scalb(1.0, exponent);
      assertThat(BucketIndex.of(power)).isEqualTo(exponent * 4096 - 1);
      if (exponent > -1022) {
        assertThat(BucketIndex.of(Math.nextUp(power))).isEqualTo(exponent * 4096);
      }
    }
    assertThat(BucketIndex.of(Double.MAX_VALUE)).isEqualTo(1024 * 4096 - 1);
  }

  @Test
  void histogram_overAllOfTheRange_staysWithinItsBuckets() {
    Aggregate aggregate =
        of(
            List.of(
                new Sample(1, Double.MIN_VALUE, false),
                new Sample(1, Double.MAX_VALUE, false),
                new Sample(1, -1e-300, false),
                new Sample(1, -1e300, false),
                new Sample(1, -0.0, false)));
    ExponentialHistogram histogram = aggregate.statistics().histogram();
    assertThat(histogram.scale()).isEqualTo(-4);
    assertThat(histogram.zeroCount()).isEqualTo(1);
    assertThat(histogram.positive().size()).isLessThanOrEqualTo(ExponentialHistogram.MOST_BUCKETS);
    assertThat(histogram.negative().size()).isLessThanOrEqualTo(ExponentialHistogram.MOST_BUCKETS);
  }

  @Test
  void merge_ofOtherSets_isRefused() {
    Statistics one = new Statistics(StatisticSet.VARIANCE.bit(), 1);
    Statistics other = new Statistics(StatisticSet.HISTOGRAM.bit(), 1);
    assertThatThrownBy(() -> new Aggregate(one).merge(new Aggregate(other)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
