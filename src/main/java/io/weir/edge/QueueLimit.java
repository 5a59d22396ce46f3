package io.weir.edge;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the accepted, unacknowledged readings and their memory. Suspends offers at a high mark
 * until both counts are below a low mark. Thread-safe and lock-free.
 *
 * <p>Both counts are in one number, so that an offer changes it once: readings in the lower half,
 * units of 64 bytes in the upper.
 */
final class QueueLimit {
  /** Maximum bytes of a reading besides its id: columns that grow by doubling, and their index. */
  private static final int READING_BYTES = 64;

  /** Maximum bytes of an acknowledgement: the object, and its place in lists that grow. */
  static final int ACKNOWLEDGEMENT_BYTES = 64;

  private static final int UNIT_BYTES = 64;

  private final long capacity;
  private final long suspendAt;
  private final long resumeAt;
  private final long suspendAtUnits;
  private final long resumeAtUnits;
  private final boolean dropsOldest;
  private final AtomicLong taken = new AtomicLong();
  private volatile boolean suspended;

  private QueueLimit(
      long capacity,
      long capacityBytes,
      int suspendPercent,
      int resumePercent,
      boolean dropsOldest) {
    this.dropsOldest = dropsOldest;
    this.capacity = capacity;
    this.suspendAt = Math.max(1, capacity * suspendPercent / 100);
    this.resumeAt = Math.min(suspendAt - 1, capacity * resumePercent / 100);
    long units = Math.min(Integer.MAX_VALUE, capacityBytes / UNIT_BYTES);
    this.suspendAtUnits = Math.max(1, units * suspendPercent / 100);
    this.resumeAtUnits = units * resumePercent / 100;
  }

  static QueueLimit of(PublisherSettings settings) {
    boolean dropsOldest =
        settings.overflow() == Overflow.DROP_OLDEST && settings.keepIn().isEmpty();
    return new QueueLimit(
        settings.queueCapacity(),
        settings.queueCapacityBytes(),
        dropsOldest ? 100 : settings.suspendThresholdPercent(),
        settings.resumeThresholdPercent(),
        dropsOldest);
  }

  /** The cost of a reading, an argument of the other methods. */
  static long costOf(int idBytes, Acknowledgement acknowledgement) {
    int ofAcknowledgement = acknowledgement == null ? 0 : ACKNOWLEDGEMENT_BYTES;
    return cost(1, READING_BYTES + idBytes + ofAcknowledgement);
  }

  /** The cost of an attestation: memory only. */
  static long costOfAttestation(int idBytes) {
    return cost(0, READING_BYTES + idBytes);
  }

  /** The cost of several readings. */
  static long cost(int readings, long bytes) {
    return (bytes + UNIT_BYTES - 1) / UNIT_BYTES << Integer.SIZE | readings;
  }

  /** Reserves capacity; false if the offer must be suspended. */
  boolean tryAcquire(long cost) {
    if (suspended) {
      // Decided here and not in release(): otherwise a late suspension would never end.
      long now = taken.get();
      if (readings(now) > resumeAt || units(now) > resumeAtUnits) {
        return false;
      }
      suspended = false;
    }
    long now = taken.addAndGet(cost);
    // The first reading is accepted regardless of its size.
    if (readings(now) <= suspendAt && (units(now) <= suspendAtUnits || readings(now) == 1)) {
      return true;
    }
    taken.addAndGet(-cost);
    suspended = true;
    return false;
  }

  /** Whether a reading would probably be accepted now. */
  boolean hasRoom() {
    long now = taken.get();
    return suspended
        ? readings(now) <= resumeAt && units(now) <= resumeAtUnits
        : readings(now) < suspendAt && units(now) < suspendAtUnits;
  }

  /**
   * Whether the oldest readings must be dropped. Dropping begins at the low mark, so that offers
   * are accepted meanwhile.
   */
  boolean isDropping() {
    if (!dropsOldest) {
      return false;
    }
    long now = taken.get();
    return readings(now) > resumeAt || units(now) > resumeAtUnits;
  }

  /** Adds readings that an earlier start accepted, without a limit. */
  void acquireResumed(long cost) {
    taken.addAndGet(cost);
  }

  void release(long cost) {
    taken.addAndGet(-cost);
  }

  long capacity() {
    return capacity;
  }

  long readings() {
    return readings(taken.get());
  }

  /** Memory of the readings, by a conservative estimate. */
  long bytes() {
    return units(taken.get()) * UNIT_BYTES;
  }

  private static long readings(long taken) {
    return taken & 0xFFFFFFFFL;
  }

  private static long units(long taken) {
    return taken >>> Integer.SIZE;
  }
}
