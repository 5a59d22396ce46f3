package io.weir.edge;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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
}
