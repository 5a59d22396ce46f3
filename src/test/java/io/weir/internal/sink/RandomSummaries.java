package io.weir.internal.sink;

import io.weir.v1.CloseReason;
import io.weir.v1.ExponentialHistogram;
import io.weir.v1.ExponentialHistogram.Buckets;
import io.weir.v1.WindowSummary;
import java.util.Random;

/** Summaries with numbers of all kinds: whatever may be on a topic. */
final class RandomSummaries {
  private static final double[] EDGES = {
    0.0,
    -0.0,
    Double.MIN_VALUE,
    -Double.MIN_VALUE,
    Double.MIN_NORMAL,
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    1 / 3.0,
    0.1
  };

  private RandomSummaries() {}

  /** A window of a sensor, some with readings and some with statistics. */
  static WindowSummary next(Random random, String sensorId, long startMs, int revision) {
    WindowSummary.Builder window =
        WindowSummary.newBuilder()
            .setSensorId(sensorId)
            .setWindowStartMs(startMs)
            .setWindowEndMs(startMs + 10_000)
            .setBadCount(random.nextInt(3))
            .setRevision(revision)
            .setCloseReason(CloseReason.forNumber(random.nextInt(5)));
    if (random.nextInt(10) > 0) {
      window
          .setCount(1 + random.nextInt(1_000))
          .setSum(number(random))
          .setMin(number(random))
          .setMax(number(random));
      if (random.nextBoolean()) {
        statistics(random, startMs, window);
      }
    }
    if (random.nextInt(4) == 0) {
      window.setIsFinal(true);
    }
    return window.build();
  }

  private static void statistics(Random random, long startMs, WindowSummary.Builder window) {
    window
        .setFirstTimestampMs(startMs + random.nextInt(5_000))
        .setFirst(number(random))
        .setLastTimestampMs(startMs + 5_000 + random.nextInt(5_000))
        .setLast(number(random))
        .setM2(Math.abs(number(random)))
        .setIntegral(number(random))
        .setIncrease(number(random))
        .setResets(random.nextInt(3))
        .setUncertainCount(random.nextInt(3))
        .setHistogram(histogram(random, window.getCount()));
  }

  private static ExponentialHistogram histogram(Random random, long count) {
    long negative = random.nextInt((int) count + 1);
    long zero = random.nextInt((int) (count - negative) + 1);
    return ExponentialHistogram.newBuilder()
        .setScale(random.nextInt(14) - 1)
        .setZeroCount(zero)
        .setNegative(buckets(random, negative))
        .setPositive(buckets(random, count - negative - zero))
        .build();
  }

  private static Buckets buckets(Random random, long count) {
    Buckets.Builder buckets = Buckets.newBuilder();
    long left = count;
    if (left > 0) {
      buckets.setOffset(random.nextInt(200) - 100);
    }
    while (left > 0) {
      long here = Math.min(left, random.nextInt(100));
      buckets.addCounts(here);
      left -= here;
    }
    return buckets.build();
  }

  static double number(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> EDGES[random.nextInt(EDGES.length)];
      case 1 -> Math.scalb(random.nextDouble() - 0.5, random.nextInt(2_098) - 1_074);
      default -> random.nextGaussian();
    };
  }
}
