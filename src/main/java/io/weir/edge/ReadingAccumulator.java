package io.weir.edge;

import io.weir.internal.wire.BatchColumns;
import io.weir.internal.wire.BatchCompleteness;
import io.weir.internal.wire.BatchEncoder;
import io.weir.internal.wire.BatchNanos;
import io.weir.reading.Reading;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Collects a partition's readings in batches. Guarded by the queue. */
final class ReadingAccumulator extends BatchAccumulator<ReadingAccumulator.PendingReadings> {
  private final OrderWatch order;

  ReadingAccumulator(QueueSettings settings, BatchEncoding encoding, Ticker ticker) {
    super(settings, ticker, () -> new PendingReadings(settings, encoding));
    this.order = settings.ordered() ? new OrderWatch() : null;
  }

  /**
   * Appends a reading.
   *
   * @param takes its cost in queue capacity
   */
  Appended append(
      Reading reading, int nanosOfMs, long digest, long takes, Acknowledgement acknowledgement) {
    Appended refusal = refusal();
    if (refusal != null) {
      if (refusal == Appended.OVER_ITS_SHARE) {
        turnedAway(reading);
      }
      return refusal;
    }
    boolean overflowed = makeRoom(open().hasRoomFor(IdDigest.bytes(digest)));
    boolean first = begin();
    if (order != null && !order.accepted(reading)) {
      open().notOrdered(reading.sensorId());
    }
    open().add(reading, nanosOfMs, digest, takes, acknowledgement);
    return accepted(overflowed, first);
  }

  /** A reading was suspended because the queue is full. */
  void turnedAway(Reading reading) {
    if (order != null) {
      order.turnedAway(reading);
    }
  }

  @Override
  long outOfOrder() {
    return order == null ? 0 : order.outOfOrder();
  }

  /**
   * Checks whether the sensors of a partition report in the order of time, and whether suspended
   * readings are offered again: a sensor with a missing reading is not complete. Guarded by its
   * partition's queue. An accepted reading costs one look-up.
   */
  static final class OrderWatch {
    /**
     * Above this number of sensors all are forgotten; an out-of-order reading may then go
     * undetected.
     */
    private static final int MAX_SENSORS = 1 << 14;

    /**
     * Above this number of suspended readings, missing readings are no longer tracked individually.
     */
    private static final int MAX_MISSING = 1 << 12;

    /** Of the readings of a sensor. */
    private static final Comparator<Reading> ORDER =
        Comparator.comparingLong(Reading::timestampMs)
            .thenComparingDouble(Reading::value)
            .thenComparing(Reading::quality);

    private final Map<String, long[]> newestMs = new HashMap<>();
    private final Map<String, SortedSet<Reading>> missingOf = new HashMap<>();
    private int missing;
    private boolean missingUnknown;
    private long outOfOrder;

    /**
     * A reading is accepted. Returns whether its sensor is complete up to it: no newer reading was
     * accepted, and no suspended reading is missing.
     */
    boolean accepted(Reading reading) {
      boolean noneMissing = isNoneMissing(reading);
      boolean inOrder = isNewest(reading);
      if (!inOrder) {
        outOfOrder++;
      }
      return inOrder && noneMissing;
    }

    /** A reading was suspended; its caller may offer it again. */
    void turnedAway(Reading reading) {
      if (missing >= MAX_MISSING) {
        missingUnknown = true;
        return;
      }
      SortedSet<Reading> ofSensor =
          missingOf.computeIfAbsent(reading.sensorId(), id -> new TreeSet<>(ORDER));
      if (ofSensor.add(reading)) {
        missing++;
      }
    }

    /** Number of readings that were older than an earlier reading of their sensor. */
    long outOfOrder() {
      return outOfOrder;
    }

    private boolean isNewest(Reading reading) {
      long[] newest = newestMs.get(reading.sensorId());
      if (newest == null) {
        if (newestMs.size() >= MAX_SENSORS) {
          newestMs.clear();
        }
        newestMs.put(reading.sensorId(), new long[] {reading.timestampMs()});
        return true;
      }
      if (reading.timestampMs() < newest[0]) {
        return false;
      }
      newest[0] = reading.timestampMs();
      return true;
    }

    private boolean isNoneMissing(Reading reading) {
      if (missingOf.isEmpty()) {
        return !missingUnknown;
      }
      SortedSet<Reading> ofSensor = missingOf.get(reading.sensorId());
      if (ofSensor == null) {
        return !missingUnknown;
      }
      if (ofSensor.remove(reading)) {
        missing--;
      }
      if (ofSensor.isEmpty()) {
        missingOf.remove(reading.sensorId());
      }
      return ofSensor.isEmpty() && !missingUnknown;
    }
  }

  /** A pending batch of readings. */
  static final class PendingReadings extends PendingBatch {
    private final BatchColumns columns = new BatchColumns();
    private final FoldIndex folds;
    private final int maxReadings;
    private final BatchEncoding encoding;

    PendingReadings(QueueSettings settings, BatchEncoding encoding) {
      super(settings.headerBytes(), settings.limits());
      this.folds = settings.folding() == Folding.OFF ? null : new FoldIndex();
      this.maxReadings = settings.limits().maxBatchReadings();
      this.encoding = encoding;
    }

    /** Whether a reading with an id of this size fits. */
    boolean hasRoomFor(int idBytes) {
      return hasRoom(BatchEncoder.mostBytesOfReading(idBytes));
    }

    /**
     * Adds a reading; an OutOfMemoryError leaves the batch unchanged.
     *
     * @param takes its cost in queue capacity
     */
    void add(
        Reading reading, int nanosOfMs, long digest, long takes, Acknowledgement acknowledgement) {
      makeRoomFor(acknowledgement);
      addToColumns(reading, nanosOfMs, IdDigest.hash(digest), IdDigest.bytes(digest));
      accepted(takes, acknowledgement);
    }

    private void addToColumns(Reading reading, int nanosOfMs, int hash, int idBytes) {
      int same = folds == null ? -1 : find(reading, hash);
      if (same >= 0) {
        columns.replace(same, reading.value(), reading.quality());
        return;
      }
      columns.add(
          reading.sensorId(), hash, reading.timestampMs(), reading.value(), reading.quality());
      columns.nanosOfLast(nanosOfMs);
      grows(BatchEncoder.mostBytesOfReading(idBytes));
      if (folds != null) {
        folds.remember(columns.size() - 1, hash, reading.timestampMs());
      }
    }

    private int find(Reading reading, int hash) {
      return folds.find(columns, reading.sensorId(), hash, reading.timestampMs());
    }

    @Override
    int size() {
      return columns.size();
    }

    @Override
    BatchCompleteness completeness(boolean ordered) {
      return ordered
          ? pendingCompleteness().attestedAndOrdered(columns, maxReadings - size(), bytesLeft())
          : pendingCompleteness().attested();
    }

    @Override
    byte[] encode(
        String gatewayId, long bootId, long sequence, BatchCompleteness saidOfCompleteness) {
      return encoding.encode(gatewayId, bootId, sequence, columns, saidOfCompleteness);
    }

    @Override
    byte[] nanos() {
      return BatchNanos.encode(columns);
    }

    @Override
    void clearContent() {
      columns.clear();
      if (folds != null) {
        folds.clear();
      }
    }

    /**
     * Finds the reading of a pending batch with the same sensor and timestamp: a hash table of
     * indexes into its columns, by linear probing. Guarded by the lock of the columns.
     */
    static final class FoldIndex {
      private static final int FIRST_SLOTS = 64;
      private static final long MIXER = 0x9E3779B97F4A7C15L;

      private int[] slots = new int[FIRST_SLOTS];

      /** The index of the reading with that sensor and timestamp, or -1. */
      int find(BatchColumns columns, String sensorId, int idHash, long timestampMs) {
        if (2 * columns.size() >= slots.length) {
          grow(columns);
        }
        int slot = slot(idHash, timestampMs);
        while (slots[slot] != 0) {
          int index = slots[slot] - 1;
          if (columns.timestampMs(index) == timestampMs
              && columns.sensorId(index).equals(sensorId)) {
            return index;
          }
          slot = next(slot);
        }
        return -1;
      }

      /** Adds a reading that {@link #find} did not find. */
      void remember(int index, int idHash, long timestampMs) {
        int slot = slot(idHash, timestampMs);
        while (slots[slot] != 0) {
          slot = next(slot);
        }
        slots[slot] = index + 1;
      }

      void clear() {
        Arrays.fill(slots, 0);
      }

      private void grow(BatchColumns columns) {
        slots = new int[2 * slots.length];
        for (int index = 0; index < columns.size(); index++) {
          int slot = slot(columns.idHash(index), columns.timestampMs(index));
          while (slots[slot] != 0) {
            slot = next(slot);
          }
          slots[slot] = index + 1;
        }
      }

      private int slot(int idHash, long timestampMs) {
        long mixed = (idHash + timestampMs * 31) * MIXER;
        return (int) (mixed >>> Integer.SIZE) & (slots.length - 1);
      }

      private int next(int slot) {
        return (slot + 1) & (slots.length - 1);
      }
    }
  }
}
