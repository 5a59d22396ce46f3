package io.weir.edge;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The publisher's own thread: turns of the shipper, with sleep in between, until the last one. */
final class SenderThread {
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Shipper shipper;
  private final Doorbell doorbell;
  private final Thread thread;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile PublisherState state;

  SenderThread(String gatewayId, Shipper shipper, Doorbell doorbell) {
    this.shipper = shipper;
    this.doorbell = doorbell;
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

  /** Waits so long for the last turn, then makes it come. An interrupt ends the wait. */
  void endWithin(long nanos) {
    if (!awaitEnd(nanos)) {
      shipper.closeNow();
      // A send that waits for brokers would outlast the time.
      thread.interrupt();
      doorbell.ring();
      awaitEnd(GRACE_NANOS);
    }
  }

  private boolean awaitEnd(long nanos) {
    try {
      return ended.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** What is left after the last turn; null before. */
  PublisherState state() {
    return state;
  }

  private void run() {
    try {
      long untilNextNanos = turn();
      while (untilNextNanos != Shipper.FINISHED) {
        doorbell.sleep(untilNextNanos);
        untilNextNanos = turn();
      }
      state = shipper.finish();
    } finally {
      ended.countDown();
    }
  }

  private long turn() {
    doorbell.beforeLooking();
    try {
      return shipper.turn();
    } catch (RuntimeException | Error e) {
      shipper.fail(e);
      return 0;
    }
  }
}
