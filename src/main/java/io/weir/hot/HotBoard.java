package io.weir.hot;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The last whole minute of each partition of this process. Safe for many threads. */
public final class HotBoard {
  private final Map<Integer, HotMinute> byPartition = new ConcurrentHashMap<>();

  /** A minute of a partition has ended. */
  public void put(HotMinute minute) {
    byPartition.put(minute.partition(), minute);
  }

  /** The partition is no longer this process's. */
  public void gone(int partition) {
    byPartition.remove(partition);
  }

  /** By partition; those that no whole minute is known of are left out. */
  public List<HotMinute> minutes() {
    return byPartition.values().stream()
        .sorted(Comparator.comparingInt(HotMinute::partition))
        .toList();
  }
}
