package io.weir.edge;

/**
 * Holds partitions whose next batch the brokers refuse as too large, until they take it. Such a
 * batch is tried again alone: refused once more, nothing of its partition has overtaken it, so the
 * producer, and with it every other partition, goes on.
 *
 * <p>The topic's limit is of compressed bytes, and unknown here. While a partition is held, batches
 * at least half as large as the smallest that was refused go alone too: a limit that batches of all
 * partitions exceed then costs one producer or a few, not one for each. For the sender thread.
 */
final class Refusals {
  private final Lanes lanes;
  private final SendWindow window;
  private final FailureLog log;
  private int aloneFromBytes = Integer.MAX_VALUE;

  Refusals(Lanes lanes, SendWindow window, FailureLog log) {
    this.lanes = lanes;
    this.window = window;
    this.log = log;
  }

  /** Batches of so many bytes are handed over with nothing of their partition beside them. */
  int aloneFromBytes() {
    return aloneFromBytes;
  }

  /** Holds the batch, and all behind it, for a pause that grows. */
  void refused(Shipment shipment, BatchRefusedException refusal, long nowNanos) {
    PartitionLane lane = shipment.lane();
    if (!lane.hold().isHeld()) {
      // What cannot go must not take the room of what can.
      window.setAside(lane.bytesUnderWay());
    }
    lane.hold().refused(nowNanos);
    aloneFromBytes = Math.min(aloneFromBytes, shipment.bytes() / 2);
    if (shipment.isAlone()) {
      window.returned(shipment.bytes());
      lane.rewind();
    }
    log.failed(
        "partition %d waits, its next batch of %d bytes is refused; the others go on"
            .formatted(lane.partition(), shipment.bytes()),
        refusal.getCause(),
        nowNanos);
  }

  /** The batch was taken after all, and has left its lane: what was held behind it goes on. */
  void acknowledged(Shipment shipment) {
    PartitionLane lane = shipment.lane();
    if (!lane.hold().isHeld()) {
      return;
    }
    window.takeBack(shipment.bytes() + lane.bytesUnderWay());
    lane.hold().release();
    if (lanes.held() == 0) {
      aloneFromBytes = Integer.MAX_VALUE;
      log.succeeded();
    }
  }
}
