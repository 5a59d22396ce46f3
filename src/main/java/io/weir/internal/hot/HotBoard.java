package io.weir.internal.hot;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The last complete minute of each partition of this process. Thread-safe. */
public final class HotBoard {
  private final Map<Integer, HotMinute> byPartition = new ConcurrentHashMap<>();

  /** A minute of a partition has ended. */
  public void put(HotMinute minute) {
    byPartition.put(minute.partition(), minute);
  }

  /** The partition was revoked. */
  public void gone(int partition) {
    byPartition.remove(partition);
  }

  /** By partition; omits partitions without a complete minute. */
  public List<HotMinute> minutes() {
    return byPartition.values().stream()
        .sorted(Comparator.comparingInt(HotMinute::partition))
        .toList();
  }
}
