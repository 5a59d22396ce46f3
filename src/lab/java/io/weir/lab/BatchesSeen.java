package io.weir.lab;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The sequenced batches on the readings topic, and which readings of them are repeats: all of a
 * batch but those of its first coming, and but those that were refused as a whole. A refusal may
 * arrive before its batch. A sequence names the same readings for ever, so every coming of a batch
 * has as many.
 *
 * <p>One thread. Memory: an entry for each gateway, boot and partition, and one for each batch that
 * was repeated, refused, or came before one it should have followed.
 */
final class BatchesSeen {
  /** What names a batch for ever. */
  record Key(String gatewayId, long bootId, int partition, long sequence) {
    private Source source() {
      return new Source(gatewayId, bootId, partition);
    }
  }

  private record Source(String gatewayId, long bootId, int partition) {}

  /** The sequences of one source: all from 1 up to a number, and some beyond it. */
  private static final class Sequences {
    private long through;
    private final Set<Long> beyond = new HashSet<>();

    /** Returns whether it came before. */
    private boolean add(long sequence) {
      if (contains(sequence)) {
        return true;
      }
      beyond.add(sequence);
      while (beyond.remove(through + 1)) {
        through++;
      }
      return false;
    }

    private boolean contains(long sequence) {
      return (sequence > 0 && sequence <= through) || beyond.contains(sequence);
    }
  }

  /** A batch that is not simply there once. */
  private static final class Comings {
    private long comings;
    private long refused;

    private long repeats() {
      return Math.max(0, comings - refused - 1);
    }
  }

  private final Map<Source, Sequences> sources = new HashMap<>();
  private final Map<Key, Comings> unusual = new HashMap<>();
  private final Map<String, Long> byGateway = new HashMap<>();
  private long duplicates;

  /** A batch with so many readings came, for the first time or again. */
  void came(Key key, long readings) {
    boolean again = sequences(key).add(key.sequence());
    Comings batch = unusual.get(key);
    if (batch == null && again) {
      batch = new Comings();
      batch.comings = 1;
      unusual.put(key, batch);
    }
    if (batch != null) {
      long before = batch.repeats();
      batch.comings++;
      count(key, (batch.repeats() - before) * readings);
    }
  }

  /** A batch was refused as a whole: that coming is no repeat, and was not applied. */
  void refused(Key key, long readings) {
    Comings batch = unusual.get(key);
    if (batch == null) {
      batch = new Comings();
      batch.comings = sequences(key).contains(key.sequence()) ? 1 : 0;
      unusual.put(key, batch);
    }
    long before = batch.repeats();
    batch.refused++;
    count(key, (batch.repeats() - before) * readings);
  }

  private Sequences sequences(Key key) {
    return sources.computeIfAbsent(key.source(), source -> new Sequences());
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

  /** The same by gateway; those that have none are absent or 0. A copy. */
  Map<String, Long> byGateway() {
    return Map.copyOf(byGateway);
  }
}
