package io.weir.edge;

import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Holds partitions that do not get on while others do, so that they cost nobody but themselves: the
 * brokers refuse their next batch as too large, or do not answer for it, as they have no leader. A
 * held partition's bytes leave the send window, it takes at most a share of the queue, and it is
 * tried again one batch at a time: where that fails nothing of the partition has overtaken it, so
 * the producer, and with it every other partition, goes on.
 *
 * <p>The topic's limit is of compressed bytes, and unknown here. While a partition is held, batches
 * at least half as large as the smallest that was refused go alone too: a limit that batches of all
 * partitions exceed then costs one producer or a few, not one for each. For the sender thread.
 */
final class Refusals {
  /** A partition that is not answered for so long, where a later batch of another is, is held. */
  static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Lanes lanes;
  private final SendWindow window;
  private final long queueCapacity;
  private final FailureLog log;
  private int aloneFromBytes = Integer.MAX_VALUE;
  private boolean anyAnswered;
  private long latestAnsweredNanos;

  Refusals(Lanes lanes, SendWindow window, long queueCapacity, FailureLog log) {
    this.lanes = lanes;
    this.window = window;
    this.queueCapacity = queueCapacity;
    this.log = log;
  }

  /** Batches of so many bytes are handed over with nothing of their partition beside them. */
  int aloneFromBytes() {
    return aloneFromBytes;
  }

  /** The batch is too large: it waits, and all behind it, for a pause that grows. */
  void refused(Shipment shipment, BatchRefusedException refusal, long nowNanos) {
    hold(shipment.lane());
    aloneFromBytes = Math.min(aloneFromBytes, shipment.bytes() / 2);
    retryLater(shipment, nowNanos);
    log.failed(
        "partition %d waits, its next batch of %d bytes is refused; the others go on"
            .formatted(shipment.lane().partition(), shipment.bytes()),
        refusal.getCause(),
        nowNanos);
  }

  /** Whether this says no more than that a partition that is held already cannot be written. */
  boolean concernsItsPartitionAlone(Shipment shipment, Exception failure) {
    return failure instanceof RetriableException && shipment.lane().hold().isHeld();
  }

  /** The batch of a held partition was not delivered in time. */
  void notDelivered(Shipment shipment, Exception failure, long nowNanos) {
    retryLater(shipment, nowNanos);
    log.failed(
        "partition %d cannot be written; the others go on".formatted(shipment.lane().partition()),
        failure,
        nowNanos);
  }

  /** The batch was taken, and has left its lane: what was held behind it goes on. */
  void acknowledged(Shipment shipment) {
    PartitionLane lane = shipment.lane();
    if (!anyAnswered || shipment.handedOverNanos() - latestAnsweredNanos > 0) {
      anyAnswered = true;
      latestAnsweredNanos = shipment.handedOverNanos();
    }
    if (!lane.hold().isHeld()) {
      window.acknowledged(shipment.bytes());
      return;
    }
    window.takeBack(lane);
    lane.hold().release();
    lane.takeAtMost(Long.MAX_VALUE);
    shareQueue();
    if (lanes.held() == 0) {
      aloneFromBytes = Integer.MAX_VALUE;
      log.succeeded();
    }
  }

  /** Holds the partitions that are not answered while others are. */
  void holdSilent(long nowNanos) {
    for (int i = 0; anyAnswered && i < lanes.count(); i++) {
      PartitionLane lane = lanes.of(i);
      long unansweredNanos = lane.unansweredNanos(nowNanos);
      if (unansweredNanos >= SILENT_NANOS
          && latestAnsweredNanos - (nowNanos - unansweredNanos) > 0
          && !lane.hold().isHeld()) {
        hold(lane);
      }
    }
  }

  private void hold(PartitionLane lane) {
    if (!lane.hold().isHeld()) {
      window.setAside(lane);
      lane.hold().hold();
      shareQueue();
    }
  }

  private void retryLater(Shipment shipment, long nowNanos) {
    shipment.lane().hold().pause(nowNanos);
    if (shipment.isAlone()) {
      shipment.lane().rewind();
    }
  }

  /** Half of the queue is for partitions that are held, a share for each; the rest for the rest. */
  private void shareQueue() {
    int held = lanes.held();
    for (int i = 0; i < lanes.count(); i++) {
      if (lanes.of(i).hold().isHeld()) {
        lanes.of(i).takeAtMost(Math.max(1, queueCapacity / 2 / held));
      }
    }
  }
}
