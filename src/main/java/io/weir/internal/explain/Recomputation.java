package io.weir.internal.explain;

import com.google.protobuf.Descriptors.FieldDescriptor;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.reading.Quality;
import io.weir.v1.Reading;
import io.weir.v1.WindowSummary;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Optional;

/** What some readings give together, by naive arithmetic. */
final class Recomputation {
  private Recomputation() {}

  /**
   * Count, sum, minimum, maximum, mean, and the statistics that another summary has.
   *
   * @param like has the sets of statistics that are wanted
   */
  static WindowSummary of(Collection<Reading> readings, WindowSummary like) {
    NaiveStatistics statistics = new NaiveStatistics(Integer.MAX_VALUE, Long.MAX_VALUE);
    BigDecimal sum = BigDecimal.ZERO;
    double min = 0;
    double max = 0;
    long count = 0;
    long bad = 0;
    for (Reading reading : readings) {
      Quality quality = Quality.ofNumber(reading.getQualityValue());
      if (quality == Quality.BAD) {
        bad++;
        continue;
      }
      double value = reading.getValue() + 0.0; // -0.0 becomes 0.0.
      min = count == 0 ? value : Math.min(min, value);
      max = count == 0 ? value : Math.max(max, value);
      sum = sum.add(new BigDecimal(value));
      count++;
      statistics = statistics.with(reading.getTimestampMs(), value, quality);
    }
    WindowSummary.Builder summary =
        statistics.expected(sets(like)).toBuilder()
            .setCount(count)
            .setBadCount(bad)
            .setSum(sum.doubleValue() + 0.0)
            .setMin(min)
            .setMax(max);
    if (count > 0) {
      summary.setMean(NaiveStatistics.rounded(sum, count));
    }
    return summary.build();
  }

  private static int sets(WindowSummary like) {
    return bit(StatisticSet.FIRST_LAST, like.hasFirst())
        | bit(StatisticSet.VARIANCE, like.hasM2())
        | bit(StatisticSet.HISTOGRAM, like.hasHistogram())
        | bit(StatisticSet.INTEGRAL, like.hasIntegral())
        | bit(StatisticSet.COUNTER, like.hasIncrease())
        | bit(StatisticSet.QUALITY, like.hasUncertainCount())
        | bit(StatisticSet.SUM_REST, like.getSumRestCount() > 0);
  }

  private static int bit(StatisticSet set, boolean wanted) {
    return wanted ? set.bit() : 0;
  }

  /** The first field in which an emission differs, as text; empty if all are the same bits. */
  static Optional<String> difference(WindowSummary emitted, WindowSummary recomputed) {
    WindowSummary numbers =
        emitted.toBuilder()
            .clearSensorId()
            .clearWindowStartMs()
            .clearWindowEndMs()
            .clearRevision()
            .clearCloseReason()
            .clearIsFinal()
            .build();
    if (numbers.equals(recomputed)) {
      return Optional.empty();
    }
    for (FieldDescriptor field : WindowSummary.getDescriptor().getFields()) {
      boolean sameThere =
          !field.hasPresence() || numbers.hasField(field) == recomputed.hasField(field);
      if (!sameThere || !numbers.getField(field).equals(recomputed.getField(field))) {
        return Optional.of(
            "%s %s, recomputed %s"
                .formatted(field.getName(), shown(numbers, field), shown(recomputed, field)));
      }
    }
    return Optional.of("a field of a newer version");
  }

  private static String shown(WindowSummary summary, FieldDescriptor field) {
    return field.hasPresence() && !summary.hasField(field)
        ? "absent"
        : String.valueOf(summary.getField(field)).strip().replaceAll("\\s+", " ");
  }
}
