package io.weir.internal.window;

import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.internal.window.aggregate.Statistics;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The sets of statistics per sensor. A window has the sets that were enabled when it began.
 * Thread-safe.
 */
public final class StatisticsPlan {
  /** Only count, sum, min and max. */
  public static final StatisticsPlan NONE = new StatisticsPlan(Map.of());

  /** Samples of a window that are kept where a set needs them. */
  public static final int DEFAULT_MOST_SAMPLES = 10_000;

  /** Samples of a partition: 128 MiB. */
  public static final int DEFAULT_MOST_OF_PARTITION = 8_388_608;

  private final int ofAll;
  private final int mostSamples;
  private int mostOfPartition = DEFAULT_MOST_OF_PARTITION;
  private final List<Limited> limited = new ArrayList<>();

  private record Limited(int sets, byte[] prefix) {}

  /**
   * @param prefixes of the sensor ids that have each set; no prefix for all sensors
   */
  public StatisticsPlan(Map<StatisticSet, ? extends Collection<String>> prefixes) {
    this(prefixes, DEFAULT_MOST_SAMPLES);
  }

  /**
   * @param prefixes of the sensor ids that have each set; no prefix for all sensors
   * @param mostSamples of a window that are kept where a set needs them, at the most
   */
  public StatisticsPlan(Map<StatisticSet, ? extends Collection<String>> prefixes, int mostSamples) {
    this.mostSamples = mostSamples;
    int all = 0;
    for (Map.Entry<StatisticSet, ? extends Collection<String>> set : prefixes.entrySet()) {
      int sets = StatisticSet.withImplied(set.getKey().bit());
      if (set.getValue().isEmpty()) {
        all |= sets;
      }
      for (String prefix : set.getValue()) {
        limited.add(new Limited(sets, prefix.getBytes(StandardCharsets.UTF_8)));
      }
    }
    ofAll = all;
  }

  /** Sets that all sensors have. */
  public static StatisticsPlan ofAll(Collection<StatisticSet> sets) {
    return new StatisticsPlan(
        sets.stream().collect(Collectors.toMap(set -> set, set -> List.<String>of())));
  }

  /** The same sets with another limit of samples per window. */
  public StatisticsPlan withMostSamples(int most) {
    return new StatisticsPlan(ofAll, limited, most).withMostOfPartition(mostOfPartition);
  }

  /** The same sets with another limit of samples of all windows of a partition. */
  public StatisticsPlan withMostOfPartition(int most) {
    StatisticsPlan plan = new StatisticsPlan(ofAll, limited, mostSamples);
    plan.mostOfPartition = most;
    return plan;
  }

  private StatisticsPlan(int ofAll, List<Limited> limited, int mostSamples) {
    this.ofAll = ofAll;
    this.limited.addAll(limited);
    this.mostSamples = mostSamples;
  }

  /** Samples of a window that are kept where a set needs them, at the most. */
  public int mostSamples() {
    return mostSamples;
  }

  /** Samples of all windows of a partition, at the most. */
  public int mostOfPartition() {
    return mostOfPartition;
  }

  /** The statistics of a sensor's new window; null for none. Checks each prefix. */
  Statistics newStatistics(byte[] sensorId) {
    int sets = setsOf(sensorId);
    return sets == 0 ? null : new Statistics(sets, mostSamples);
  }

  /** Bits of a sensor's sets, 0 for none. Checks each prefix. */
  public int setsOf(byte[] sensorId) {
    int sets = ofAll;
    for (Limited some : limited) {
      byte[] prefix = some.prefix();
      if (sensorId.length >= prefix.length
          && Arrays.equals(sensorId, 0, prefix.length, prefix, 0, prefix.length)) {
        sets |= some.sets();
      }
    }
    return sets;
  }
}
