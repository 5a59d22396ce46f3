package io.weir.edge;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The publisher's thread: runs the send loop, sleeping between runs, until the last run. */
final class SenderThread {
  private static final long AFTER_FAILURE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long STOP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int MAX_FINISH_TRIES = 20;
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final SendLoop sendLoop;
  private final Wakeup wakeup;
  private final Thread thread;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile PublisherState state;

  SenderThread(String gatewayId, SendLoop sendLoop, Wakeup wakeup) {
    this.sendLoop = sendLoop;
    this.wakeup = wakeup;
    this.thread = new Thread(this::run, "weir-publisher-" + gatewayId);
    // A process that does not close the publisher must still be able to exit.
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Throws if the calling thread would wait for itself. */
  void requireOther(String what) {
    if (Thread.currentThread() == thread) {
      throw new IllegalStateException(what + " would wait for the thread that calls it");
    }
  }

  /**
   * Waits up to the timeout for the last run, then forces it. An interrupt does not shorten the
   * wait, because accepted readings could remain unsent; the interrupt flag is restored.
   */
  void endWithin(long nanos) {
    boolean interrupted = Thread.interrupted();
    try {
      interrupted |= awaitEnd(nanos);
      if (ended.getCount() > 0) {
        sendLoop.closeNow();
        wakeup.wake();
        interrupted |= awaitEnd(GRACE_NANOS);
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns whether the caller was interrupted meanwhile. */
  private boolean awaitEnd(long nanos) {
    boolean interrupted = false;
    long endNanos = System.nanoTime() + nanos;
    while (true) {
      try {
        ended.await(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }

  /** The remaining state after the last run; null before. */
  PublisherState state() {
    return state;
  }

  private void run() {
    try {
      long untilNextNanos = runOnce();
      while (untilNextNanos != SendLoop.FINISHED) {
        wakeup.sleep(untilNextNanos);
        untilNextNanos = runOnce();
      }
      state = finish();
      sendLoop.awaitStopped(STOP_NANOS);
    } finally {
      ended.countDown();
    }
  }

  private long runOnce() {
    wakeup.beforeWork();
    try {
      return sendLoop.runOnce();
    } catch (RuntimeException | Error e) {
      return fail(e);
    }
  }

  /**
   * The thread survives every throwable, including OutOfMemoryError, because no other thread sends.
   */
  private long fail(Throwable thrown) {
    try {
      sendLoop.fail(thrown);
      return 0;
    } catch (RuntimeException | Error again) {
      return AFTER_FAILURE_NANOS;
    }
  }

  private PublisherState finish() {
    for (int tries = 1; ; tries++) {
      try {
        return sendLoop.finish();
      } catch (RuntimeException | Error e) {
        if (tries == MAX_FINISH_TRIES) {
          throw e;
        }
        LockSupport.parkNanos(AFTER_FAILURE_NANOS);
      }
    }
  }
}
