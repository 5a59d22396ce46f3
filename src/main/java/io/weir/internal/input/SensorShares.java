package io.weir.internal.input;

import io.weir.reading.IdBytes;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * How many sensors of a partition each sender has created in the last day or two, as Weir refuses
 * new ones of a gateway beyond a cap. Where there are several senders, none gets more than three
 * times what it leaves; nor do all together that wrote nothing the day before, or that are too
 * many. Guarded by its {@link PartitionIdentities}.
 */
final class SensorShares {
  private static final int TIMES_WHAT_IS_FREE = 3;

  /** The others are counted together, and what they are a part of. */
  private static final int MOST_SENDERS = 1_000;

  private static final int NEWCOMERS = hash(Delivery.NEWCOMERS);
  private static final long DAY_NANOS = TimeUnit.DAYS.toNanos(1);

  private final int most;
  private final IdentityCounts counts;
  private Day now = new Day(0);
  private Day before = new Day(0);

  SensorShares(int most, IdentityCounts counts) {
    this.most = most;
    this.counts = counts;
  }

  /** The sensors that were seen in a day. */
  private static final class Day {
    private final long beginNanos;

    /** By the hash of a sender, as {@code created}. */
    private final Map<Integer, Integer> seen = new HashMap<>();

    private final Map<Integer, Integer> created = new HashMap<>();
    private int[] slots = new int[16];
    private int size;
    private int creations;

    Day(long beginNanos) {
      this.beginNanos = beginNanos;
    }

    boolean has(int hash) {
      return slots[slot(hash)] != 0;
    }

    /** Adds a number that it does not have. */
    void add(int hash) {
      if (2 * (size + 1) > slots.length) {
        int[] old = slots;
        slots = new int[2 * old.length];
        for (int each : old) {
          if (each != 0) {
            slots[slot(each)] = each;
          }
        }
      }
      slots[slot(hash)] = hash;
      size++;
    }

    /** The slot of a number, or the free one for it: its bits are random. */
    private int slot(int hash) {
      int slot = hash & slots.length - 1;
      while (slots[slot] != 0 && slots[slot] != hash) {
        slot = slot + 1 & slots.length - 1;
      }
      return slot;
    }
  }

  /** When the day began; a sensor that was admitted since needs no other look. */
  long dayNanos(long nowNanos) {
    if (nowNanos - now.beginNanos > DAY_NANOS) {
      before = now;
      now = new Day(nowNanos);
    }
    return now.beginNanos;
  }

  /**
   * Whether a sender may write a sensor: it is known, or there is room in its share.
   *
   * @param senders the sender, and what it is a part of before it: each has a share
   */
  boolean admits(List<String> senders, String sensorId, long nowNanos) {
    dayNanos(nowNanos);
    int hash = hash(sensorId) | 1 << 31;
    if (now.has(hash)) {
      return true;
    }
    if (!before.has(hash) && !creates(senders)) {
      return false;
    }
    now.add(hash);
    senders.forEach(sender -> count(hash(sender), now.seen));
    return true;
  }

  private boolean creates(List<String> senders) {
    int free = most - before.size - now.creations;
    boolean admitted = free > 0;
    Set<Integer> sharers = new HashSet<>();
    for (int level = 0; level < senders.size(); level++) {
      int sharer = hash(senders.get(level));
      boolean several = counts.hasSeveral(level, senders.get(level));
      admitted &= !several || own(sharer) < TIMES_WHAT_IS_FREE * free;
      sharers.add(sharer);
      boolean isCounted = now.created.containsKey(sharer) || now.created.size() < MOST_SENDERS;
      if (level == 0 && (!isCounted || before.size > 0 && !isOld(sharer))) {
        admitted &= own(NEWCOMERS) < TIMES_WHAT_IS_FREE * free;
        sharers.add(NEWCOMERS);
      }
    }
    if (admitted) {
      sharers.forEach(sharer -> count(sharer, now.created));
      now.creations++;
    }
    return admitted;
  }

  private int own(int sharer) {
    return before.seen.getOrDefault(sharer, 0) + now.created.getOrDefault(sharer, 0);
  }

  /** Whether a sender wrote sensors the day before, or today some that are older. */
  private boolean isOld(int sender) {
    return before.seen.containsKey(sender)
        || now.seen.getOrDefault(sender, 0) > now.created.getOrDefault(sender, 0);
  }

  /** A publisher of MQTT may invent senders without end. */
  private static void count(int sender, Map<Integer, Integer> counts) {
    if (sender == NEWCOMERS || counts.size() < MOST_SENDERS || counts.containsKey(sender)) {
      counts.merge(sender, 1, Integer::sum);
    }
  }

  private static int hash(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return IdBytes.hash(bytes, 0, bytes.length);
  }
}
