package io.weir.edge;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One sender after another: opens one when it is time, notices its first failure, closes it, and
 * waits before the next. Used by the sender thread; outcomes arrive on the senders' threads and are
 * picked up from a queue. Opening and closing may wait long, for brokers or a name server, and
 * happen on helper threads.
 */
final class ProducerSession {
  private static final long PREDECESSOR_SECONDS = 5;

  /** How a batch went. */
  record Outcome(BatchSender sender, UnacknowledgedBatch batch, Exception failure) {}

  private final BatchSender.Factory factory;
  private final Wakeup wakeup;
  private final FailureLog log;
  private final StatusBoard status;
  private final Executor helper;
  private final Backoff backoff = Backoff.jittered();
  private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
  private CompletableFuture<BatchSender> opening;
  private CompletableFuture<Void> closing = CompletableFuture.completedFuture(null);
  private BatchSender sender;
  private Throwable failure;
  private boolean ofOnePartition;
  private long openedAtNanos;

  // Guarded by this.
  private Thread sending;
  private boolean cancelled;

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

  /** Whether batches can be sent; begins to open a sender where it is time. */
  boolean isOpen(long nowNanos) {
    if (sender == null && opening == null && backoff.remainingNanos(nowNanos) == 0) {
      startOpening();
    }
    if (opening != null && opening.isDone()) {
      takeOpened(nowNanos);
    }
    return sender != null && failure == null;
  }

  /** Nanoseconds until a sender may be opened; {@link Long#MAX_VALUE} where one is being opened. */
  long retryInNanos(long nowNanos) {
    return opening != null ? Long.MAX_VALUE : backoff.remainingNanos(nowNanos);
  }

  /** Hands the batch to the sender; false where that failed. */
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

  /** Ends a send that waits, and every later one. For any thread. */
  synchronized void cancelSends() {
    cancelled = true;
    if (sending != null) {
      sending.interrupt();
    }
  }

  synchronized boolean isCancelled() {
    return cancelled;
  }

  /** The next outcome, of the current sender alone; null where there is none. */
  Outcome poll() {
    Outcome outcome = outcomes.poll();
    while (outcome != null && outcome.sender() != sender) {
      outcome = outcomes.poll();
    }
    return outcome;
  }

  /** Something acknowledged: a sender that lasts makes earlier failures forgotten. */
  void succeeded(long nowNanos) {
    status.acknowledged();
    if (failure == null && nowNanos - openedAtNanos > Backoff.MAX_NANOS) {
      backoff.reset();
      log.succeeded();
    }
  }

  /** Nothing more is sent with this sender; the first cause is the one that is reported. */
  void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  /** The same, where the cause is no reason to send less. */
  void failForOnePartition(Throwable cause) {
    ofOnePartition |= failure == null;
    fail(cause);
  }

  /** Whether it failed for a reason that may be more than one partition's. */
  boolean failedForAll() {
    return failure != null && !ofOnePartition;
  }

  /** Notices a sender that has died, for want of memory perhaps, and would never say a word. */
  void failIfDead() {
    if (sender != null && !sender.isAlive()) {
      fail(new IllegalStateException("the producer's network thread has died"));
    }
  }

  boolean hasFailed() {
    return failure != null;
  }

  /**
   * Stops the sender. The outcomes that it reported until now can be polled; of what it was given
   * besides, some may still reach the topic.
   */
  void stop() {
    if (sender != null && closing.isDone()) {
      BatchSender stopped = sender;
      closing = new CompletableFuture<>();
      CompletableFuture<Void> done = closing;
      run(
          () -> {
            try {
              stopped.close();
            } finally {
              done.complete(null);
            }
          });
    }
  }

  /** Waits at most so long for the stopped sender. */
  void awaitStopped(long nanos) {
    try {
      closing.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // It ends by itself; what it still sends is a duplicate, recognized by its sequence.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Releases the stopped sender, and opens the next one after a pause. */
  void replaceLater(long nowNanos) {
    sender = null;
    outcomes.clear();
    backoff.failed(nowNanos);
    // The code that mutes a partition reports what concerns that one alone.
    if (failedForAll()) {
      status.sendingFailed(failure);
      log.failed("sending failed and starts again with a new producer", failure, nowNanos);
    }
    failure = null;
    ofOnePartition = false;
  }

  private void startOpening() {
    CompletableFuture<Void> predecessor = closing;
    CompletableFuture<BatchSender> opened = new CompletableFuture<>();
    opening = opened;
    run(
        () -> {
          try {
            predecessor.get(PREDECESSOR_SECONDS, TimeUnit.SECONDS);
          } catch (TimeoutException | ExecutionException | InterruptedException e) {
            // It hangs, and harms nobody.
          }
          try {
            opened.complete(factory.open());
          } catch (RuntimeException | Error e) {
            opened.completeExceptionally(e);
          }
          wakeup.wake();
        });
  }

  private void run(Runnable task) {
    try {
      helper.execute(task);
    } catch (RuntimeException | Error noThread) {
      task.run();
    }
  }

  private void takeOpened(long nowNanos) {
    CompletableFuture<BatchSender> opened = opening;
    opening = null;
    Throwable cause = opened.handle((anySender, thrown) -> thrown).join();
    if (cause == null) {
      sender = opened.join();
      openedAtNanos = nowNanos;
      return;
    }
    backoff.failed(nowNanos);
    status.openFailed(cause);
    log.failed("no producer could be made", cause, nowNanos);
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
