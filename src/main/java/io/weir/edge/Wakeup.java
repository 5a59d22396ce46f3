package io.weir.edge;

import java.util.concurrent.locks.LockSupport;

/**
 * Wakes the sender thread. While it sleeps until the next batch is due, a reading that starts a
 * batch need not wake it, because the new batch is due later. If it sleeps longer than a flush
 * interval, as after a broker failure, the reading must wake it. Waking is thread-safe and costs
 * two volatile reads if the thread is not asleep.
 */
final class Wakeup {
  private final long flushIntervalNanos;
  private volatile Thread sleeper;
  private volatile boolean woken;
  private volatile boolean idle;

  /**
   * Creates a wakeup without a sleeping thread.
   *
   * @param flushIntervalNanos time after which a new batch is due
   */
  Wakeup(long flushIntervalNanos) {
    this.flushIntervalNanos = flushIntervalNanos;
  }

  /** Wakes the thread for immediate work. */
  void wake() {
    if (!woken) {
      woken = true;
      LockSupport.unpark(sleeper);
    }
  }

  /** A batch was started: wakes the thread only if it would sleep beyond the batch's due time. */
  void wakeIfIdle() {
    if (idle) {
      wake();
    }
  }

  /** Call before looking for work: later wakes are not lost. */
  void beforeWork() {
    sleeper = Thread.currentThread();
    woken = false;
    idle = true;
  }

  /** Sleeps until it is woken, at most this time; {@link Long#MAX_VALUE} for ever. */
  void sleep(long nanos) {
    if (nanos <= flushIntervalNanos) {
      idle = false;
    }
    if (!woken && nanos > 0) {
      LockSupport.parkNanos(this, nanos);
      // With its interrupt flag set, the thread could not sleep.
      Thread.interrupted();
    }
  }
}
