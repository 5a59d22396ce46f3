package io.weir.internal.alarm;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Against a map of the windows, and sums of decimals. */
class BaselineTest {
  @Test
  void sums_areExact_whateverCameAndWent() {
    Seeds.forEach(
        40,
        random -> {
          BaselineSpec spec = new BaselineSpec(BaselineSpec.Of.MEAN, 10 + random.nextInt(100));
          Baseline baseline = new Baseline(spec);
          TreeMap<Long, Double> windows = new TreeMap<>();
          long newest = random.nextInt(1_000) - 500;
          for (int i = 0; i < 300; i++) {
            long number = newest + step(random, spec.windows());
            if (random.nextInt(3) > 0) {
              double value = value(random);
              baseline.add(number, value);
              if (windows.isEmpty() || number > windows.lastKey() - spec.windows()) {
                windows.put(number, value);
                windows.headMap(windows.lastKey() - spec.windows(), true).clear();
              }
              newest = windows.lastKey();
            }
            if (!windows.isEmpty()) {
              long looked = newest + step(random, spec.windows());
              Collection<Double> past = windows.subMap(looked - spec.windows(), looked).values();
              assertThat(baseline.before(looked)).isEqualTo(spread(past));
            }
            if (random.nextInt(50) == 0) {
              baseline = restored(baseline);
            }
          }
        });
  }

  /** A number whose rounding errors would stay behind for ever. */
  @Test
  void largeNumberThatHasGone_leavesNothingBehind() {
    Baseline baseline = new Baseline(new BaselineSpec(BaselineSpec.Of.MEAN, 10));
    baseline.before(0);
    baseline.add(0, 1e17);
    baseline.before(1);
    for (int window = 1; window <= 10; window++) {
      baseline.add(window, 0.1);
      baseline.before(window + 1);
    }
    assertThat(baseline.before(11).deviation()).isZero();
    assertThat(baseline.before(11).mean()).isEqualTo(0.1);
  }

  @Test
  void gaps_areForgotten_andCostNoChunk() {
    Baseline baseline = new Baseline(new BaselineSpec(BaselineSpec.Of.MEAN, 10_000));
    for (int window = 0; window < 100; window++) {
      baseline.add(window * 9_999L, window);
    }
    assertThat(baseline.before(99 * 9_999L + 1).windows()).isEqualTo(2);
    baseline.written();
    baseline.add(1_000_000_000, 1);
    assertThat(baseline.changedChunks().cardinality()).isLessThanOrEqualTo(3);
    assertThat(baseline.before(1_000_000_001).windows()).isEqualTo(1);
  }

  private static long step(Random random, int windows) {
    return random.nextInt(20) == 0
        ? random.nextInt(3 * windows) - windows
        : random.nextInt(4) == 0 ? 1 + random.nextInt(40) : 1;
  }

  private static double value(Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> 0;
      case 1 -> Math.scalb(random.nextGaussian(), random.nextInt(600) - 300);
      case 2 -> Double.MIN_VALUE;
      default -> Math.round(random.nextGaussian() * 100) / 100.0;
    };
  }

  private static Baseline.Spread spread(Collection<Double> past) {
    BigDecimal sum = past.stream().map(BigDecimal::new).reduce(BigDecimal.ZERO, BigDecimal::add);
    Stream<BigDecimal> squares = past.stream().map(each -> new BigDecimal(each).pow(2));
    BigDecimal distances =
        squares
            .reduce(BigDecimal.ZERO, BigDecimal::add)
            .multiply(BigDecimal.valueOf(past.size()))
            .subtract(sum.pow(2));
    double count = past.size();
    return new Baseline.Spread(
        past.size(),
        sum.doubleValue() / count,
        Math.sqrt(distances.doubleValue() / (count * count)));
  }

  private static Baseline restored(Baseline baseline) {
    Baseline again = new Baseline(baseline.spec());
    for (int chunk = 0; chunk < baseline.chunks(); chunk++) {
      again.restore(chunk, baseline.newest(), baseline.chunk(chunk));
    }
    return again;
  }
}
