package io.weir.edge;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The publisher's status, set by the sender thread and read by any thread. A send failure ends with
 * an acknowledgement, an open failure when the producer is open.
 */
final class StatusBoard {
  private final PublisherStatus.Listener listener;
  private final FailureLog log;
  private final Ticker ticker;
  private volatile PublisherStatus status = PublisherStatus.of(PublisherStatus.State.CONNECTING);
  private volatile long unableSinceNanos;
  private final AtomicLong openFailures = new AtomicLong();
  private boolean sendingFailed;
  private volatile String refusal = "";

  StatusBoard(PublisherStatus.Listener listener, FailureLog log, Ticker ticker) {
    this.listener = listener;
    this.log = log;
    this.ticker = ticker;
    this.unableSinceNanos = ticker.nanoTime();
  }

  PublisherStatus status() {
    return status;
  }

  /** Seconds since batches last reached the brokers; 0 while they do. */
  double unableSeconds() {
    PublisherStatus now = status;
    boolean able = now.isPublishing() || now.state() == PublisherStatus.State.CLOSED;
    return able ? 0 : (ticker.nanoTime() - unableSinceNanos) / (double) TimeUnit.SECONDS.toNanos(1);
  }

  /** Number of failed attempts to open a producer. */
  long openFailures() {
    return openFailures.get();
  }

  void openFailed(Throwable cause) {
    openFailures.incrementAndGet();
    change(new PublisherStatus(PublisherStatus.State.RETRYING, lineOf(cause)));
  }

  void sendingFailed(Throwable cause) {
    sendingFailed = true;
    change(new PublisherStatus(PublisherStatus.State.RETRYING, lineOf(cause)));
  }

  void acknowledged() {
    sendingFailed = false;
  }

  /** The producer is open; this number of partitions does not accept batches. */
  void open(int held) {
    if (sendingFailed) {
      return;
    }
    if (!refusal.isEmpty()) {
      change(
          new PublisherStatus(
              PublisherStatus.State.REFUSED,
              "Weir refuses this start's batches: "
                  + refusal
                  + "; another process uses the gateway id, or the clock is or was wrong"));
      return;
    }
    change(
        held == 0
            ? PublisherStatus.of(PublisherStatus.State.PUBLISHING)
            : new PublisherStatus(
                PublisherStatus.State.HELD, held + " partitions do not accept batches"));
  }

  /** Weir refuses every batch of this start. Thread-safe. */
  void refused(String reason) {
    refusal = reason;
  }

  void closed() {
    change(PublisherStatus.of(PublisherStatus.State.CLOSED));
  }

  /** Waits until it publishes, or is closed; returns whether it publishes. */
  synchronized boolean awaitPublishing(long nanos) throws InterruptedException {
    long endNanos = System.nanoTime() + nanos;
    while (!status.isPublishing() && status.state() != PublisherStatus.State.CLOSED) {
      long leftNanos = endNanos - System.nanoTime();
      if (leftNanos <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
    }
    return status.isPublishing();
  }

  private void change(PublisherStatus next) {
    PublisherStatus last = status;
    if (next.equals(last)) {
      return;
    }
    if (last.isPublishing() && !next.isPublishing()) {
      unableSinceNanos = ticker.nanoTime();
    }
    synchronized (this) {
      status = next;
      notifyAll();
    }
    try {
      listener.changed(next);
    } catch (RuntimeException | Error e) {
      log.failed("the status listener threw", e, ticker.nanoTime());
    }
  }

  private static String lineOf(Throwable cause) {
    Throwable deepest = cause;
    while (deepest.getCause() != null && deepest.getCause() != deepest) {
      deepest = deepest.getCause();
    }
    String of = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    String why =
        deepest == cause || deepest.getMessage() == null ? "" : ": " + deepest.getMessage();
    return (of + why).replace('\n', ' ');
  }
}
