package io.weir.edge;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A daemon thread that periodically sends due folds. */
final class FoldThread {
  /** Checks per quiet time: a fold is late by at most this fraction of it. */
  private static final int LOOKS = 10;

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final EventFolds folds;
  private final long pauseNanos;
  private final FailureLog log;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread thread;

  FoldThread(EventPublisherSettings settings, EventFolds folds) {
    String gatewayId = settings.publisher().gatewayId();
    long quietNanos = settings.fold().orElseThrow().quiet().toNanos();
    this.folds = folds;
    this.pauseNanos = Math.min(quietNanos / LOOKS + 1, LONGEST_PAUSE.toNanos());
    this.log = new FailureLog(gatewayId);
    this.thread = new Thread(this::run, "weir-publisher-" + gatewayId + "-folds");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!ended.await(pauseNanos, TimeUnit.NANOSECONDS)) {
        sendDue();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** After an OutOfMemoryError it continues at the next check. */
  private void sendDue() {
    try {
      folds.sendDue(System.nanoTime());
    } catch (RuntimeException | Error e) {
      log.failed("a fold of events cannot be sent", e, System.nanoTime());
    }
  }

  /** Ends the thread; waiting folds remain. */
  void end() {
    ended.countDown();
  }
}
