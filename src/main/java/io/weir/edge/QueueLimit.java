package io.weir.edge;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the readings that were accepted and are not acknowledged, and the memory they take, and
 * stops taking them at a mark until both are down to a lower one. For any thread; waits for none.
 *
 * <p>Both counts are in one number, so that an offer changes it once: readings in the lower half,
 * units of 64 bytes in the upper.
 */
final class QueueLimit {
  /** Most bytes of a reading beside its id: columns that grow by doubling, and their index. */
  private static final int READING_BYTES = 64;

  private static final int UNIT_BYTES = 64;

  private final long capacity;
  private final long suspendAt;
  private final long resumeAt;
  private final long suspendAtUnits;
  private final long resumeAtUnits;
  private final boolean dropsOldest;
  private final AtomicLong taken = new AtomicLong();
  private volatile boolean suspended;

  QueueLimit(long capacity, long capacityBytes, int suspendPercent, int resumePercent) {
    this(capacity, capacityBytes, suspendPercent, resumePercent, false);
  }

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

  /** What one reading takes, to be given to the other methods. */
  static long costOf(int idBytes) {
    return cost(1, READING_BYTES + idBytes);
  }

  /** What an attestation takes: memory, and no reading's place. */
  static long costOfAttestation(int idBytes) {
    return cost(0, READING_BYTES + idBytes);
  }

  /** What so many readings take. */
  static long cost(int readings, long bytes) {
    return (bytes + UNIT_BYTES - 1) / UNIT_BYTES << Integer.SIZE | readings;
  }

  /** Takes readings, or says that they must wait. */
  boolean tryAcquire(long cost) {
    if (suspended) {
      // Judged here and not in release(): a late suspension would otherwise never be lifted.
      long now = taken.get();
      if (readings(now) > resumeAt || units(now) > resumeAtUnits) {
        return false;
      }
      suspended = false;
    }
    long now = taken.addAndGet(cost);
    // The first one is taken whatever it takes.
    if (readings(now) <= suspendAt && (units(now) <= suspendAtUnits || readings(now) == 1)) {
      return true;
    }
    taken.addAndGet(-cost);
    suspended = true;
    return false;
  }

  /**
   * Whether the oldest readings are to be dropped now. Dropping begins at the lower mark, so that
   * offers find room meanwhile.
   */
  boolean isDropping() {
    if (!dropsOldest) {
      return false;
    }
    long now = taken.get();
    return readings(now) > resumeAt || units(now) > resumeAtUnits;
  }

  /** Takes readings that were accepted in an earlier life, however many there are. */
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

  /** Memory that the readings take at most. */
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
