package io.weir.internal.ops;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lost batches by gateway, over all partitions of this process. The number of gateways is
 * unbounded, and their ids are any text: so those with the most lost batches are reported by name,
 * the others as a sum, and the number of names until a restart is limited. Safe for many threads.
 */
final class LostBatches {
  /**
   * Label for all gateways that are not reported by name; a gateway of this name counts among them.
   */
  static final String REST = "(others)";

  /** Number of gateways that are reported by name. */
  static final int NAMED = 20;

  private static final Comparator<Map.Entry<String, Long>> MOST_FIRST =
      Map.Entry.<String, Long>comparingByValue()
          .reversed()
          .thenComparing(Map.Entry.comparingByKey());

  /** Number of gateways that are ever reported by name: each is a time series. */
  static final int EVER_NAMED = 200;

  private final Set<String> named = new HashSet<>();
  private final Map<Integer, Map<String, Long>> byPartition = new ConcurrentHashMap<>();

  /** Sets the gateways of a partition with lost batches; copies the map. */
  void put(int partition, Map<String, Long> byGateway) {
    byPartition.put(partition, Collections.unmodifiableMap(new HashMap<>(byGateway)));
  }

  void remove(int partition) {
    byPartition.remove(partition);
  }

  /** The gateways with the most lost batches, most first, followed by {@link #REST}. */
  synchronized Map<String, Long> top() {
    Map<String, Long> sums = new HashMap<>();
    byPartition.values().forEach(gateways -> gateways.forEach((id, n) -> add(sums, id, n)));
    long rest = total(sums);
    sums.remove(REST);
    List<Map.Entry<String, Long>> most =
        sums.entrySet().stream().sorted(MOST_FIRST).filter(this::isNamed).limit(NAMED).toList();
    Map<String, Long> top = new LinkedHashMap<>();
    for (Map.Entry<String, Long> gateway : most) {
      top.put(gateway.getKey(), gateway.getValue());
      rest -= gateway.getValue();
    }
    top.put(REST, rest);
    return top;
  }

  private boolean isNamed(Map.Entry<String, Long> gateway) {
    return named.contains(gateway.getKey())
        || (named.size() < EVER_NAMED && named.add(gateway.getKey()));
  }

  private static void add(Map<String, Long> sums, String gateway, long lost) {
    sums.merge(gateway, lost, Long::sum);
  }

  private static long total(Map<String, Long> sums) {
    return sums.values().stream().reduce(0L, Long::sum);
  }
}
