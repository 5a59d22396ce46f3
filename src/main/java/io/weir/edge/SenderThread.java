package io.weir.edge;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The publisher's own thread: turns of the sendLoop, with sleep in between, until the last one. */
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
    // A gateway that forgets to close must still be able to end.
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Refuses what would wait for the thread that calls it. */
  void requireOther(String what) {
    if (Thread.currentThread() == thread) {
      throw new IllegalStateException(what + " would wait for the thread that calls it");
    }
  }

  /**
   * Waits so long for the last turn, then makes it come. An interrupt does not cut that short, or
   * readings would be left behind while brokers are well; the caller finds its flag set again.
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

  /** What is left after the last turn; null before. */
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

  /** Whatever is thrown, out of memory included: this thread goes on, as nobody else sends. */
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
