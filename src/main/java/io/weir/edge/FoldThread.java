package io.weir.edge;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Looks at folds again and again, and sends what is due. A daemon. */
final class FoldThread {
  /** Looks of a quiet time: a fold is sent late by so little of it. */
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

  /** For want of memory it goes on at the next look. */
  private void sendDue() {
    try {
      folds.sendDue(System.nanoTime());
    } catch (RuntimeException | Error e) {
      log.failed("a fold of events cannot be sent", e, System.nanoTime());
    }
  }

  /** Ends it; what waits in folds stays. */
  void end() {
    ended.countDown();
  }
}
