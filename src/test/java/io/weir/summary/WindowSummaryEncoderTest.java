package io.weir.summary;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.weir.Seeds;
import io.weir.internal.window.CloseReason;
import io.weir.internal.window.Window;
import io.weir.internal.window.aggregate.ExactAccumulator;
import io.weir.internal.window.aggregate.ExponentialHistogram;
import io.weir.internal.window.aggregate.SampleSums;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.internal.window.aggregate.Statistics;
import io.weir.v1.WindowKey;
import io.weir.v1.WindowSummary;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Against the class that protoc generates. */
class WindowSummaryEncoderTest {
  @Test
  void anyWindow_isReadBackByTheGeneratedClass() {
    Seeds.forEach(2000, WindowSummaryEncoderTest::assertReadBack);
  }

  @Test
  void anyKey_hasTheBytesOfTheGeneratedClass() {
    for (long startMs : new long[] {0, -10, 1, 1_770_076_800_000L, Long.MIN_VALUE}) {
      byte[] id = ByteString.copyFromUtf8("Fühler").toByteArray();
      WindowKey key =
          WindowKey.newBuilder()
              .setSensorId("Fühler")
              .setWindowStartMs(startMs)
              .setWindowEndMs(startMs + 10)
              .build();
      assertThat(WindowKeyEncoder.encode(id, startMs, startMs + 10)).isEqualTo(key.toByteArray());
    }
  }

  private static void assertReadBack(Random random) throws Exception {
    ByteString id = ByteString.copyFromUtf8("Fühler-λ".repeat(random.nextInt(20)));
    long startMs = extreme(random);
    long count = random.nextInt(3) == 0 ? 0 : extreme(random) & Long.MAX_VALUE;
    long badCount = random.nextInt(3) == 0 ? 0 : extreme(random) & Long.MAX_VALUE;
    double sum = random.nextInt(5) == 0 ? Double.POSITIVE_INFINITY : random.nextGaussian();
    int emissions = random.nextInt(4) == 0 ? Integer.MAX_VALUE : 1 + random.nextInt(300);
    CloseReason reason = CloseReason.values()[random.nextInt(CloseReason.values().length)];
    Window window = new Window(startMs, emissions, true, false, false, false);
    Statistics statistics = random.nextBoolean() ? null : statistics(random);
    window.restore(count, badCount, sum, 0, null, -1.5, 2.5, statistics);

    byte[] bytes = WindowSummaryEncoder.encode(id.toByteArray(), window, startMs + 10, reason);

    WindowSummary.Builder expected =
        WindowSummary.newBuilder()
            .setSensorIdBytes(id)
            .setWindowStartMs(startMs)
            .setWindowEndMs(startMs + 10)
            .setRevision(emissions - 1)
            .setCloseReason(io.weir.v1.CloseReason.valueOf("CLOSE_REASON_" + reason.name()))
            .setBadCount(badCount);
    if (reason == CloseReason.COMPLETE) {
      expected.setIsFinal(true);
    }
    if (count > 0) {
      expected.setCount(count).setSum(sum).setMin(-1.5).setMax(2.5).setMean(window.mean());
      if (statistics != null) {
        addTo(expected, statistics);
      }
    }
    assertThat(WindowSummary.parseFrom(bytes)).isEqualTo(expected.build());
  }

  /** All sets but the variance, which is computed of count and sum. */
  private static Statistics statistics(Random random) {
    Statistics statistics =
        Statistics.ofSpans(
            StatisticSet.FIRST_LAST.bit()
                | StatisticSet.HISTOGRAM.bit()
                | StatisticSet.INTEGRAL.bit()
                | StatisticSet.COUNTER.bit()
                | StatisticSet.QUALITY.bit());
    statistics.restoreSums(random.nextInt(3) == 0 ? null : sums(random));
    statistics.restoreFirstAndLast(
        extreme(random), random.nextGaussian(), extreme(random), random.nextInt(2));
    statistics.restoreHistogram(
        new ExponentialHistogram(
            random.nextInt(17) - 4,
            random.nextInt(3) == 0 ? 0 : extreme(random) & Long.MAX_VALUE,
            buckets(random),
            buckets(random)));
    statistics.restoreUncertainCount(random.nextInt(3) == 0 ? 0 : Long.MAX_VALUE);
    return statistics;
  }

  private static SampleSums sums(Random random) {
    ExactAccumulator integral = new ExactAccumulator();
    integral.add(random.nextGaussian());
    ExactAccumulator increase = new ExactAccumulator();
    increase.add(random.nextInt(2));
    long resets = random.nextInt(3) == 0 ? 0 : extreme(random) & Long.MAX_VALUE;
    return new SampleSums(integral, increase, resets);
  }

  private static ExponentialHistogram.Buckets buckets(Random random) {
    long[] counts = new long[random.nextInt(ExponentialHistogram.MOST_BUCKETS + 1)];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = random.nextInt(3) == 0 ? 0 : extreme(random) & Long.MAX_VALUE;
    }
    return new ExponentialHistogram.Buckets(random.nextInt(5) - 2, counts);
  }

  private static void addTo(WindowSummary.Builder expected, Statistics statistics) {
    if (statistics.sumsOfSpans() != null) {
      expected.setIntegral(statistics.integral());
      expected.setIncrease(statistics.increase()).setResets(statistics.resets());
      if (statistics.hasTimeWeightedAverage()) {
        expected.setTimeWeightedAverage(statistics.timeWeightedAverage());
      }
    }
    ExponentialHistogram histogram = statistics.histogram();
    io.weir.v1.ExponentialHistogram.Builder message =
        io.weir.v1.ExponentialHistogram.newBuilder()
            .setScale(histogram.scale())
            .setZeroCount(histogram.zeroCount());
    if (histogram.positive().size() > 0) {
      message.setPositive(message(histogram.positive()));
    }
    if (histogram.negative().size() > 0) {
      message.setNegative(message(histogram.negative()));
    }
    expected
        .setFirstTimestampMs(statistics.firstTimestampMs())
        .setFirst(statistics.first())
        .setLastTimestampMs(statistics.lastTimestampMs())
        .setLast(statistics.last())
        .setHistogram(message)
        .setUncertainCount(statistics.uncertainCount());
  }

  private static io.weir.v1.ExponentialHistogram.Buckets message(
      ExponentialHistogram.Buckets buckets) {
    io.weir.v1.ExponentialHistogram.Buckets.Builder message =
        io.weir.v1.ExponentialHistogram.Buckets.newBuilder().setOffset(buckets.offset());
    for (int i = 0; i < buckets.size(); i++) {
      message.addCounts(buckets.count(i));
    }
    return message.build();
  }

  private static long extreme(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> Long.MAX_VALUE - 10;
      case 1 -> -random.nextInt(1000);
      case 2 -> 1;
      default -> 1_700_000_000_000L + random.nextInt();
    };
  }
}
