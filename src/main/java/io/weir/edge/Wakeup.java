package io.weir.edge;

import java.util.concurrent.locks.LockSupport;

/**
 * Wakes the sender thread. It sleeps until the next batch is due; a reading that starts a batch
 * need not wake it then, as no batch is due sooner than those that it waits for already. Where it
 * waits longer than a batch does, for brokers that refused one, it has to be woken. Waking is for
 * any thread and costs two volatile reads where nobody sleeps.
 */
final class Wakeup {
  private final long flushIntervalNanos;
  private volatile Thread sleeper;
  private volatile boolean woken;
  private volatile boolean idle;

  /**
   * Nobody is woken yet.
   *
   * @param flushIntervalNanos after which a batch that was just started is due
   */
  Wakeup(long flushIntervalNanos) {
    this.flushIntervalNanos = flushIntervalNanos;
  }

  /** Something is to be done at once. */
  void wake() {
    if (!woken) {
      woken = true;
      LockSupport.unpark(sleeper);
    }
  }

  /** A batch was started: only who would sleep beyond its time must know. */
  void wakeIfIdle() {
    if (idle) {
      wake();
    }
  }

  /**
   * To be called before looking for work: from here on a wake is remembered, and it is not known
   * yet that anything is waited for.
   */
  void beforeWork() {
    sleeper = Thread.currentThread();
    woken = false;
    idle = true;
  }

  /** Sleeps for so long, {@link Long#MAX_VALUE} for ever; less where it wakes. */
  void sleep(long nanos) {
    if (nanos <= flushIntervalNanos) {
      idle = false;
    }
    if (!woken && nanos > 0) {
      LockSupport.parkNanos(this, nanos);
      // A thread with its interrupt flag set would never sleep again.
      Thread.interrupted();
    }
  }
}
