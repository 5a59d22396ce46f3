package io.weir.internal.app;

import io.weir.internal.window.StatisticsPlan;
import io.weir.internal.window.aggregate.StatisticSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The statistics for each sensor, from the settings. */
final class StatisticsSettings {
  private static final Map<StatisticSet, Key<List<String>>> SENSORS =
      Map.of(
          StatisticSet.FIRST_LAST, WindowKeys.STATISTICS_FIRST_LAST,
          StatisticSet.VARIANCE, WindowKeys.STATISTICS_VARIANCE,
          StatisticSet.HISTOGRAM, WindowKeys.STATISTICS_HISTOGRAM,
          StatisticSet.QUALITY, WindowKeys.STATISTICS_QUALITY,
          StatisticSet.INTEGRAL, WindowKeys.STATISTICS_INTEGRAL,
          StatisticSet.COUNTER, WindowKeys.STATISTICS_COUNTER,
          StatisticSet.SUM_REST, WindowKeys.STATISTICS_SUM_REST);

  private StatisticsSettings() {}

  /**
   * The plan.
   *
   * @throws ConfigException if sensors are set for a statistic that is not enabled
   */
  static StatisticsPlan plan(Settings settings) {
    Map<StatisticSet, List<String>> plan = new EnumMap<>(StatisticSet.class);
    for (StatisticSet set : StatisticSet.values()) {
      Key<List<String>> sensors = SENSORS.get(set);
      Optional<List<String>> prefixes = settings.find(sensors);
      boolean on = settings.get(WindowKeys.STATISTICS).contains(set);
      if (prefixes.isPresent() && !on) {
        throw settings.refusal(
            sensors, "weir.statistics does not contain this set: add " + set.text());
      }
      if (on) {
        plan.put(set, prefixes.orElse(List.of()));
      }
    }
    int mostSamples = settings.get(WindowKeys.SAMPLES_MAX);
    // Without a set, the limit applies to windows that began while one was enabled.
    return plan.isEmpty() && mostSamples == StatisticsPlan.DEFAULT_MOST_SAMPLES
        ? StatisticsPlan.NONE
        : new StatisticsPlan(plan, mostSamples);
  }
}
