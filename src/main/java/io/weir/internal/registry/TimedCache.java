package io.weir.internal.registry;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * A cache with a maximum size, which evicts the least recently used value, and a time to live. Safe
 * for many threads.
 */
public final class TimedCache<K, V> {
  private record Entry<V>(V value, long sinceMs) {}

  private final int most;
  private final long ttlMs;
  private final LongSupplier elapsedMs;
  private final Map<K, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param ttlMs time to live; Long.MAX_VALUE for unlimited
   * @param elapsedMs a monotonic clock
   */
  public TimedCache(int most, long ttlMs, LongSupplier elapsedMs) {
    this.most = most;
    this.ttlMs = ttlMs;
    this.elapsedMs = elapsedMs;
  }

  /** A value that has not expired, or null. */
  public synchronized V get(K key) {
    Entry<V> entry = entries.get(key);
    if (entry != null && elapsedMs.getAsLong() - entry.sinceMs >= ttlMs) {
      entries.remove(key);
      return null;
    }
    return entry == null ? null : entry.value;
  }

  public synchronized void put(K key, V value) {
    entries.put(key, new Entry<>(value, elapsedMs.getAsLong()));
    if (entries.size() > most) {
      K leastUsed = entries.keySet().iterator().next();
      entries.remove(leastUsed);
    }
  }

  synchronized void removeIf(Predicate<K> test) {
    entries.keySet().removeIf(test);
  }
}
