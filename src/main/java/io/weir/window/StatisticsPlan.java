package io.weir.window;

import io.weir.window.aggregate.StatisticSet;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Which further statistics are computed of which sensors. A window has the sets that were switched
 * on when it began. Safe for many threads.
 */
public final class StatisticsPlan {
  /** Count, sum, min and max alone. */
  public static final StatisticsPlan NONE = new StatisticsPlan(Map.of());

  private final int ofAll;
  private final List<Limited> limited = new ArrayList<>();

  private record Limited(int sets, byte[] prefix) {}

  /**
   * @param prefixes of the sensor ids that have each set; no prefix for all sensors
   */
  public StatisticsPlan(Map<StatisticSet, ? extends Collection<String>> prefixes) {
    int all = 0;
    for (Map.Entry<StatisticSet, ? extends Collection<String>> set : prefixes.entrySet()) {
      int bit = set.getKey().bit();
      if (set.getValue().isEmpty()) {
        all |= bit;
      }
      for (String prefix : set.getValue()) {
        limited.add(new Limited(bit, prefix.getBytes(StandardCharsets.UTF_8)));
      }
    }
    ofAll = all;
  }

  /** Sets that all sensors have. */
  public static StatisticsPlan ofAll(Collection<StatisticSet> sets) {
    return new StatisticsPlan(
        sets.stream().collect(Collectors.toMap(set -> set, set -> List.<String>of())));
  }

  /** Bits of the sets that a sensor has, 0 for none. Looks at each prefix. */
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
