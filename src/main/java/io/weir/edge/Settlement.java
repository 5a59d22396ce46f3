package io.weir.edge;

/**
 * Settles what came back for batches that were handed over: acknowledged, they leave the queue and
 * everybody who waits is told; refused, their partition is held; any other failure ends the sender.
 * For the sender thread.
 */
final class Settlement {
  private final QueueGate gate;
  private final ProducerSession session;
  private final Refusals refusals;
  private final Announcer announcer;
  private final PublisherMetrics metrics;
  private final FailureLog callbackLog;

  Settlement(
      QueueGate gate,
      ProducerSession session,
      Refusals refusals,
      Announcer announcer,
      PublisherMetrics metrics,
      FailureLog callbackLog) {
    this.gate = gate;
    this.session = session;
    this.refusals = refusals;
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
    gate.leave(shipment.accepted());
    metrics.acknowledged(shipment, nowNanos);
    session.succeeded(nowNanos);
    tell(shipment, nowNanos);
  }

  private void tell(Shipment shipment, long nowNanos) {
    for (Acknowledgement acknowledgement : shipment.acknowledgements()) {
      guarded("an acknowledgement threw", acknowledgement::acknowledged, nowNanos);
    }
    guarded("the journal threw", () -> announcer.acknowledged(shipment.batch()), nowNanos);
    shipment.flushes().forEach(FlushTicket::partDone);
  }

  private void guarded(String what, Runnable action, long nowNanos) {
    try {
      action.run();
    } catch (Throwable e) {
      callbackLog.failed(what, e, nowNanos);
    }
  }
}
