package io.weir.edge;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the readings that were accepted and are not acknowledged, and stops taking them at a mark
 * until they are down to a lower one. For any thread; waits for none.
 */
final class QueueGate {
  private final long capacity;
  private final long suspendAt;
  private final long resumeAt;
  private final AtomicLong readings = new AtomicLong();
  private volatile boolean suspended;

  QueueGate(long capacity, int suspendPercent, int resumePercent) {
    this.capacity = capacity;
    this.suspendAt = Math.max(1, capacity * suspendPercent / 100);
    this.resumeAt = Math.min(suspendAt - 1, capacity * resumePercent / 100);
  }

  static QueueGate of(PublisherSettings settings) {
    return new QueueGate(
        settings.queueCapacity(),
        settings.suspendThresholdPercent(),
        settings.resumeThresholdPercent());
  }

  /** Takes one reading, or says that it must wait. */
  boolean tryEnter() {
    if (suspended) {
      // Judged here and not in leave(): a late suspension would otherwise never be lifted.
      if (readings.get() > resumeAt) {
        return false;
      }
      suspended = false;
    }
    if (readings.incrementAndGet() <= suspendAt) {
      return true;
    }
    readings.decrementAndGet();
    suspended = true;
    return false;
  }

  /** Takes readings that were accepted in an earlier life, however many there are. */
  void enterResumed(int count) {
    readings.addAndGet(count);
  }

  void leave(int count) {
    readings.addAndGet(-count);
  }

  long capacity() {
    return capacity;
  }

  long readings() {
    return readings.get();
  }
}
