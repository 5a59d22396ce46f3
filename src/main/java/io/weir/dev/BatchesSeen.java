package io.weir.dev;

import java.util.HashMap;
import java.util.Map;

/**
 * The sequenced batches on the readings topic, and which readings of them are repeats: all of a
 * batch but those of its first coming, and but those that were refused as a whole. It does not
 * matter whether a refusal is heard of before its batch. One thread; an entry a batch.
 */
final class BatchesSeen {
  /** What names a batch for ever. */
  record Key(String gatewayId, long bootId, int partition, long sequence) {}

  private static final class Comings {
    private long first = -1;
    private long readings;
    private long refused;

    private long duplicates() {
      return Math.max(0, readings - refused - Math.max(0, first));
    }
  }

  private final Map<Key, Comings> comings = new HashMap<>();
  private final Map<String, Long> byGateway = new HashMap<>();
  private long duplicates;

  /** A batch with so many readings came, for the first time or again. */
  void came(Key key, long readings) {
    Comings batch = of(key);
    long before = batch.duplicates();
    if (batch.first < 0) {
      batch.first = readings;
    }
    batch.readings += readings;
    count(key, batch.duplicates() - before);
  }

  /** A batch was refused as a whole: that coming is no repeat, and was not applied. */
  void refused(Key key, long readings) {
    Comings batch = of(key);
    long before = batch.duplicates();
    batch.refused += readings;
    count(key, batch.duplicates() - before);
  }

  private Comings of(Key key) {
    return comings.computeIfAbsent(key, k -> new Comings());
  }

  private void count(Key key, long change) {
    if (change != 0) {
      duplicates += change;
      byGateway.merge(key.gatewayId(), change, Long::sum);
    }
  }

  /** Readings that are repeats. */
  long duplicates() {
    return duplicates;
  }

  /** The same by gateway; those that have none are absent. A copy. */
  Map<String, Long> byGateway() {
    return Map.copyOf(byGateway);
  }
}
