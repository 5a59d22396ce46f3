package io.weir.edge;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Manages one sender at a time: opens it, detects its first failure, closes it, and waits before it
 * opens the next. Used by the sender thread; the senders' threads put outcomes in a queue. Opening
 * and closing may block on brokers or DNS and run on helper threads.
 */
final class ProducerSession {
  private static final long PREDECESSOR_SECONDS = 5;

  /** The outcome of a batch. */
  record Outcome(BatchSender sender, UnacknowledgedBatch batch, Exception failure) {}

  private final BatchSender.Factory factory;
  private final Wakeup wakeup;
  private final FailureLog log;
  private final StatusBoard status;
  private final Executor helper;
  private final Backoff backoff = Backoff.jittered();
  private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
  private Opening opening;
  private CompletableFuture<Void> closing = CompletableFuture.completedFuture(null);
  private BatchSender sender;
  private Throwable failure;
  private boolean ofOnePartition;
  private long openedAtNanos;

  // Guarded by this.
  private Thread sending;
  private boolean cancelled;

  /**
   * A sender that is being opened. Its end allocates nothing: an OutOfMemoryError must not leave it
   * without one.
   */
  private static final class Opening {
    private BatchSender sender;
    private Throwable failure;

    /** Written last. */
    private volatile boolean done;
  }

  ProducerSession(
      BatchSender.Factory factory,
      Wakeup wakeup,
      FailureLog log,
      StatusBoard status,
      Executor helper) {
    this.factory = factory;
    this.wakeup = wakeup;
    this.log = log;
    this.status = status;
    this.helper = helper;
  }

  /** Whether batches can be sent; starts to open a sender if it is due. */
  boolean isOpen(long nowNanos) {
    if (sender == null && opening == null && backoff.remainingNanos(nowNanos) == 0) {
      startOpening();
    }
    if (opening != null && opening.done) {
      takeOpened(nowNanos);
    }
    return sender != null && failure == null;
  }

  /** Nanoseconds until a sender may be opened; {@link Long#MAX_VALUE} while one is being opened. */
  long retryInNanos(long nowNanos) {
    return opening != null ? Long.MAX_VALUE : backoff.remainingNanos(nowNanos);
  }

  /** Passes the batch to the sender; false if that failed. */
  boolean send(UnacknowledgedBatch batch) {
    BatchSender current = sender;
    BatchSender.Outcome outcome =
        failure -> {
          outcomes.add(new Outcome(current, batch, failure));
          wakeup.wake();
        };
    try {
      enterSend();
      if (batch.isAlone()) {
        current.sendAlone(batch.sequenced(), outcome);
      } else {
        current.send(batch.sequenced(), outcome);
      }
    } catch (RuntimeException | Error e) {
      fail(e);
    } finally {
      leaveSend();
    }
    return failure == null;
  }

  /** Interrupts a blocked send and fails all later ones. Thread-safe. */
  synchronized void cancelSends() {
    cancelled = true;
    if (sending != null) {
      sending.interrupt();
    }
  }

  synchronized boolean isCancelled() {
    return cancelled;
  }

  /** The next outcome of the current sender; null if there is none. */
  Outcome poll() {
    Outcome outcome = outcomes.poll();
    while (outcome != null && outcome.sender() != sender) {
      outcome = outcomes.poll();
    }
    return outcome;
  }

  /** A batch was acknowledged; a long-lived sender resets the backoff. */
  void succeeded(long nowNanos) {
    status.acknowledged();
    if (failure == null && nowNanos - openedAtNanos > Backoff.MAX_NANOS) {
      backoff.reset();
      log.succeeded();
    }
  }

  /** Ends sending with this sender; the first cause is reported. */
  void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  /** The same for a cause that does not reduce the send window. */
  void failForOnePartition(Throwable cause) {
    ofOnePartition |= failure == null;
    fail(cause);
  }

  /** Whether the cause of the failure may affect more than one partition. */
  boolean failedForAll() {
    return failure != null && !ofOnePartition;
  }

  /** Fails the session if the sender's thread has died, for example of an OutOfMemoryError. */
  void failIfDead() {
    if (sender != null && !sender.isAlive()) {
      fail(new IllegalStateException("the producer's network thread has died"));
    }
  }

  boolean hasFailed() {
    return failure != null;
  }

  /**
   * Stops the sender. Outcomes reported so far can be polled; other batches may still reach the
   * topic.
   */
  void stop() {
    if (sender != null && closing.isDone()) {
      BatchSender stopped = sender;
      CompletableFuture<Void> done = new CompletableFuture<>();
      Runnable task = () -> close(stopped, done);
      closing = done;
      run(task);
    }
  }

  private static void close(BatchSender stopped, CompletableFuture<Void> done) {
    try {
      stopped.close();
    } catch (RuntimeException | Error e) {
      // The next sender is another one; Weir recognizes batches that this one still sends.
    } finally {
      done.complete(null);
    }
  }

  /** Waits up to the timeout for the stopped sender. */
  void awaitStopped(long nanos) {
    try {
      closing.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // It ends by itself; the application recognizes batches that it still sends as duplicates.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Releases the stopped sender; the next one is opened after a pause. */
  void replaceLater(long nowNanos) {
    sender = null;
    outcomes.clear();
    backoff.failed(nowNanos);
    Throwable cause = failure;
    boolean ofAll = failedForAll();
    failure = null;
    ofOnePartition = false;
    // PartitionMuting logs failures of a single partition.
    if (ofAll) {
      status.sendingFailed(cause);
      log.failed("sending failed; continuing with a new producer", cause, nowNanos);
    }
  }

  private void startOpening() {
    CompletableFuture<Void> predecessor = closing;
    Opening next = new Opening();
    Runnable task = () -> open(next, predecessor);
    opening = next;
    run(task);
  }

  private void open(Opening next, CompletableFuture<Void> predecessor) {
    try {
      try {
        predecessor.get(PREDECESSOR_SECONDS, TimeUnit.SECONDS);
      } catch (TimeoutException | ExecutionException | InterruptedException e) {
        // It hangs without further effect.
      }
      next.sender = factory.open();
    } catch (RuntimeException | Error e) {
      next.failure = e;
    } finally {
      next.done = true;
      wakeup.wake();
    }
  }

  private void run(Runnable task) {
    try {
      helper.execute(task);
    } catch (RuntimeException | Error noThread) {
      task.run();
    }
  }

  private void takeOpened(long nowNanos) {
    Opening opened = opening;
    opening = null;
    if (opened.sender != null) {
      sender = opened.sender;
      openedAtNanos = nowNanos;
      return;
    }
    backoff.failed(nowNanos);
    status.openFailed(opened.failure);
    log.failed("could not create a producer", opened.failure, nowNanos);
  }

  private synchronized void enterSend() {
    if (cancelled) {
      throw new IllegalStateException("the publisher is closed");
    }
    sending = Thread.currentThread();
  }

  private synchronized void leaveSend() {
    sending = null;
    // An interrupt that was meant for the send must not reach the journal.
    Thread.interrupted();
  }
}
