package io.weir.cli.plan;

import io.weir.internal.window.aggregate.StatisticSet;
import java.util.Set;

/**
 * The bytes that sets of statistics add to a window: on the heap and in the changelog by the table
 * of docs/results/2026-11-26-speed.md, in a summary by its fields.
 */
public record StatisticsCost(double heap, double changelog, double summary, boolean hasHistogram) {
  private static final double SAMPLES_MAX = 10_000;

  /**
   * @param readings readings of a sensor in a window
   */
  public static StatisticsCost of(Set<StatisticSet> sets, double readings) {
    double heap = 0;
    double changelog = 0;
    double summary = 0;
    for (StatisticSet set : sets) {
      switch (set) {
        case FIRST_LAST -> {
          heap += 70;
          changelog += 23;
          summary += 32;
        }
        case VARIANCE -> {
          heap += 150;
          changelog += 19;
          summary += 10;
        }
        case HISTOGRAM -> {
          heap += 1_400;
          changelog += 160;
          summary += 160;
        }
        case QUALITY -> {
          heap += 70;
          changelog += 2;
          summary += 4;
        }
        case SUM_REST -> summary += 10;
        case INTEGRAL, COUNTER -> summary += 10;
      }
    }
    if (sets.contains(StatisticSet.INTEGRAL) || sets.contains(StatisticSet.COUNTER)) {
      double samples = Math.min(readings, SAMPLES_MAX);
      heap += 570 + 17 * samples;
      changelog += 60 + 9.1 * samples;
      summary += sets.contains(StatisticSet.FIRST_LAST) ? 0 : 32;
    }
    return new StatisticsCost(heap, changelog, summary, sets.contains(StatisticSet.HISTOGRAM));
  }
}
