package io.weir.internal.input;

import io.weir.reading.IdBytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How many sensors of a partition each sender has created in the last day or two, as Weir refuses
 * new ones of a gateway beyond a cap. Where there are several senders, none gets more than three
 * times what it leaves; nor do all together that wrote nothing the day before. Guarded by its
 * {@link PartitionIdentities}.
 */
final class SensorShares {
  private static final int TIMES_WHAT_IS_FREE = 3;
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
    private final Map<String, Integer> seen = new HashMap<>();
    private final Map<String, Integer> created = new HashMap<>();
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
    void add(List<String> senders, int hash) {
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
      senders.forEach(sender -> seen.merge(sender, 1, Integer::sum));
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
    byte[] id = sensorId.getBytes(StandardCharsets.UTF_8);
    int hash = IdBytes.hash(id, 0, id.length) | 1 << 31;
    if (now.has(hash)) {
      return true;
    }
    if (!before.has(hash)) {
      List<String> sharers = new ArrayList<>(senders);
      if (before.size > 0 && senders.stream().limit(1).noneMatch(this::isOld)) {
        sharers.add(Delivery.NEWCOMERS);
      }
      int free = most - before.size - now.creations;
      if (free <= 0) {
        return false;
      }
      for (int level = 0; level < sharers.size(); level++) {
        String sharer = sharers.get(level);
        int own = before.seen.getOrDefault(sharer, 0) + now.created.getOrDefault(sharer, 0);
        if (counts.hasSeveral(level, sharer) && own >= TIMES_WHAT_IS_FREE * free) {
          return false;
        }
      }
      sharers.forEach(sharer -> now.created.merge(sharer, 1, Integer::sum));
      now.creations++;
    }
    now.add(senders, hash);
    return true;
  }

  /** Whether a sender wrote sensors the day before, or today some that are older. */
  private boolean isOld(String sender) {
    return before.seen.containsKey(sender)
        || now.seen.getOrDefault(sender, 0) > now.created.getOrDefault(sender, 0);
  }
}
