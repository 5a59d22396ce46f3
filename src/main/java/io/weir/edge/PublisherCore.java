package io.weir.edge;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * The common part of publishers of readings and events: the queues of one topic, the sender thread
 * and the lifecycle. Thread-safe.
 */
final class PublisherCore {
  private static final Duration MAX_TIMEOUT = Duration.ofDays(365);

  private final PublisherContext context;
  private final Wakeup wakeup;
  private final SendLoop sendLoop;
  private final SenderThread thread;
  private final Optional<DeadLetterWatch> watch;

  /** The caller starts the thread or runs the loop itself. */
  PublisherCore(PublisherContext context, Wakeup wakeup, SendLoop sendLoop) {
    this.context = context;
    this.wakeup = wakeup;
    this.sendLoop = sendLoop;
    this.thread = new SenderThread(context.name(), sendLoop, wakeup);
    this.watch =
        context
            .settings()
            .deadLetters()
            .map(
                topic ->
                    new DeadLetterWatch(
                        context.settings(), topic, System.currentTimeMillis(), this::refused));
  }

  void start() {
    thread.start();
    watch.ifPresent(DeadLetterWatch::start);
  }

  PublisherContext context() {
    return context;
  }

  Wakeup wakeup() {
    return wakeup;
  }

  SendLoop sendLoop() {
    return sendLoop;
  }

  SenderThread thread() {
    return thread;
  }

  boolean watchesDeadLetters() {
    return watch.isPresent() && watch.get().isReading();
  }

  CompletableFuture<Void> flushAsync() {
    CompletableFuture<Void> done = sendLoop.flush();
    wakeup.wake();
    return done;
  }

  boolean awaitReady(Duration timeout) throws InterruptedException {
    thread.requireOther("awaitReady");
    return context.status().awaitPublishing(bounded(timeout).toNanos());
  }

  /** Rejects further offers; sends accepted ones until the timeout. */
  void closeBy(Duration timeout) {
    sendLoop.closeBy(context.ticker().nanoTime() + bounded(timeout).toNanos());
    wakeup.wake();
  }

  /** Ends within that time. Call after {@link #closeBy}. */
  CloseReport end(Duration timeout) {
    thread.endWithin(bounded(timeout).toNanos());
    watch.ifPresent(DeadLetterWatch::close);
    context.metrics().close();
    return report(thread.state());
  }

  /** The result of the close; with {@code keepIn} it has a state only if the disk failed. */
  CloseReport report(PublisherState finalState) {
    Optional<PublisherState> state = Optional.ofNullable(finalState);
    return new CloseReport(
        sendLoop.unacknowledgedReadings(),
        sendLoop.keepsOnDisk() ? state.filter(left -> !left.unacknowledged().isEmpty()) : state);
  }

  private void refused(Refusal refusal) {
    if (refusal.bootId() == context.bootId()) {
      context.metrics().refused(refusal.reason());
      if (refusal.isOfAllBatches()) {
        context.status().refused(refusal.reason());
        wakeup.wake();
      }
    }
    context.settings().refusals().refused(refusal);
  }

  /**
   * Waits for a flush.
   *
   * @throws IllegalStateException if the publisher is closed before that
   */
  static void await(CompletableFuture<Void> flushed) throws InterruptedException {
    try {
      flushed.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause().getMessage(), e.getCause());
    }
  }

  /**
   * As {@link #await(CompletableFuture)}, up to the timeout; returns whether the flush completed.
   */
  static boolean await(CompletableFuture<Void> flushed, Duration timeout)
      throws InterruptedException {
    try {
      flushed.get(bounded(timeout).toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause().getMessage(), e.getCause());
    }
  }

  /** End of a timeout that begins now, by {@link System#nanoTime}. */
  static long endNanos(Duration timeout) {
    return System.nanoTime() + bounded(timeout).toNanos();
  }

  static Duration bounded(Duration timeout) {
    return timeout.compareTo(MAX_TIMEOUT) < 0 ? timeout : MAX_TIMEOUT;
  }

  /** The publisher's thread: runs the send loop, sleeping between runs, until the last run. */
  static final class SenderThread {
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
     * The thread survives every throwable, including OutOfMemoryError, because no other thread
     * sends.
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
}
