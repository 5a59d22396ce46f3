package io.weir.edge;

import java.util.function.Consumer;

/**
 * Settles what came back for batches that were handed over: acknowledged, they leave the queue and
 * everybody who waits is told; refused, their partition is held; any other failure ends the sender.
 * For the sender thread.
 */
final class Settlement {
  private final ProducerSession session;
  private final Refusals refusals;
  private final Consumer<Shipment> taken;
  private final Announcer announcer;
  private final PublisherMetrics metrics;
  private final FailureLog callbackLog;

  Settlement(
      ProducerSession session,
      Refusals refusals,
      Consumer<Shipment> taken,
      Announcer announcer,
      PublisherMetrics metrics,
      FailureLog callbackLog) {
    this.session = session;
    this.refusals = refusals;
    this.taken = taken;
    this.announcer = announcer;
    this.metrics = metrics;
    this.callbackLog = callbackLog;
  }

  /** Settles all that came back until now. */
  void settle(long nowNanos) {
    ProducerSession.Outcome outcome = session.poll();
    while (outcome != null) {
      if (outcome.failure() == null) {
        acknowledged(outcome.shipment(), nowNanos);
      } else {
        failed(outcome.shipment(), outcome.failure(), nowNanos);
      }
      outcome = session.poll();
    }
  }

  private void failed(Shipment shipment, Exception failure, long nowNanos) {
    boolean refused =
        failure instanceof BatchRefusedException refusal && refusal.isOf(shipment.batch());
    boolean ofItsPartition = refused || refusals.concernsItsPartitionAlone(shipment, failure);
    if (refused) {
      refusals.refused(shipment, (BatchRefusedException) failure, nowNanos);
    } else if (ofItsPartition) {
      refusals.notDelivered(shipment, failure, nowNanos);
    }
    if (!ofItsPartition) {
      session.fail(failure);
    } else if (!shipment.isAlone()) {
      session.failForOnePartition(failure);
    }
  }

  private void acknowledged(Shipment shipment, long nowNanos) {
    PartitionLane lane = shipment.lane();
    if (!lane.acknowledge(shipment)) {
      session.fail(new IllegalStateException("a batch was acknowledged before the one before it"));
      return;
    }
    refusals.acknowledged(shipment);
    metrics.acknowledged(shipment, nowNanos);
    session.succeeded(nowNanos);
    taken.accept(shipment);
    tellKept(shipment, nowNanos);
    tellJournal(shipment, nowNanos);
    lane.settled(shipment.accepted());
  }

  /** Tells those whose readings cannot be lost any more: brokers have them, or the disk. */
  void tellKept(Shipment shipment, long nowNanos) {
    for (Acknowledgement acknowledgement : shipment.takeAcknowledgements()) {
      guarded("an acknowledgement threw", acknowledgement::acknowledged, nowNanos);
    }
  }

  /** The journal need not keep the batch any more. */
  void tellJournal(Shipment shipment, long nowNanos) {
    guarded("the journal threw", () -> announcer.acknowledged(shipment.batch()), nowNanos);
  }

  private void guarded(String what, Runnable action, long nowNanos) {
    try {
      action.run();
    } catch (Throwable e) {
      callbackLog.failed(what, e, nowNanos);
    }
  }
}
