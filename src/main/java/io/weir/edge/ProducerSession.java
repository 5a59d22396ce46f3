package io.weir.edge;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * One sender after another: opens one when it is time, notices its first failure, closes it, and
 * waits before the next. Used by the sender thread; outcomes arrive on the senders' threads and are
 * picked up from a queue.
 */
final class ProducerSession {
  /** How a batch went. */
  record Outcome(BatchSender sender, Shipment shipment, Exception failure) {}

  private final BatchSender.Factory factory;
  private final Doorbell doorbell;
  private final FailureLog log;
  private final Backoff backoff = new Backoff();
  private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
  private BatchSender sender;
  private Throwable failure;
  private boolean ofOnePartition;
  private long openedAtNanos;

  ProducerSession(BatchSender.Factory factory, Doorbell doorbell, FailureLog log) {
    this.factory = factory;
    this.doorbell = doorbell;
    this.log = log;
  }

  /** Whether batches can be sent; opens a sender where it is time. */
  boolean isOpen(long nowNanos) {
    if (sender == null && backoff.remainingNanos(nowNanos) == 0) {
      open(nowNanos);
    }
    return sender != null && failure == null;
  }

  /** Nanoseconds until a sender may be opened. */
  long retryInNanos(long nowNanos) {
    return backoff.remainingNanos(nowNanos);
  }

  /** Hands the batch to the sender; false where that failed. */
  boolean send(Shipment shipment) {
    BatchSender current = sender;
    BatchSender.Outcome told =
        failure -> {
          outcomes.add(new Outcome(current, shipment, failure));
          doorbell.ring();
        };
    try {
      if (shipment.isAlone()) {
        current.sendAlone(shipment.batch(), told);
      } else {
        current.send(shipment.batch(), told);
      }
    } catch (RuntimeException | Error e) {
      fail(e);
    }
    return failure == null;
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
    if (failure == null && nowNanos - openedAtNanos > Backoff.MAX_NANOS) {
      backoff.reset();
      log.succeeded();
    }
  }

  /** Nothing more is sent with this sender; the first cause is the one that is told. */
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

  boolean hasFailed() {
    return failure != null;
  }

  /** Stops the sender; the outcomes of all that it was given can be polled now. */
  void stop() {
    if (sender == null) {
      return;
    }
    // An interrupt meant for a send that waited would make close leave before it is done.
    Thread.interrupted();
    try {
      sender.close();
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  /** Lets go of the stopped sender, and opens the next one after a pause. */
  void replaceLater(long nowNanos) {
    sender = null;
    outcomes.clear();
    backoff.failed(nowNanos);
    // What concerns one partition is told of where that is held.
    if (failure != null && !ofOnePartition) {
      log.failed("sending failed and starts again with a new producer", failure, nowNanos);
    }
    failure = null;
    ofOnePartition = false;
  }

  private void open(long nowNanos) {
    try {
      sender = factory.open();
      openedAtNanos = nowNanos;
    } catch (RuntimeException | Error e) {
      backoff.failed(nowNanos);
      log.failed("no producer could be made", e, nowNanos);
    }
  }
}
