package io.weir.edge;

import io.weir.topic.SensorPartition;

/**
 * How many bytes may be handed to the producer and not be acknowledged. Small enough that they fit
 * its memory and reach the brokers within its delivery timeout: a failure cuts the window to a
 * quarter and what is acknowledged widens it again, so that a slow uplink gets through too. Muted
 * partitions do not count. For the sender thread.
 */
final class SendWindow {
  static final long MIN_BYTES = 64 * 1024;
  static final long MAX_BYTES = 8 * 1024 * 1024;

  private final boolean[] leftOut = new boolean[SensorPartition.COUNT];
  private long limitBytes = MAX_BYTES / 4;
  private long sequencedBytes;
  private long inFlightBytes;

  /** Whether more batches should get their sequence. */
  boolean wantsMore() {
    return sequencedBytes < limitBytes;
  }

  /**
   * Whether a partition with so many sequenced bytes should get more: it takes no more than it
   * leaves free, so that however many partitions stall, the others find room.
   */
  boolean wantsMoreOf(long bytesUnderWay) {
    return wantsMore() && bytesUnderWay < limitBytes - sequencedBytes;
  }

  /** Whether another batch may be handed over. */
  boolean isOpen() {
    return inFlightBytes < limitBytes;
  }

  /** The batch has its sequence. */
  void sequenced(UnacknowledgedBatch batch) {
    sequencedBytes += counted(batch);
  }

  /** The batch is not to be sent from memory. */
  void forget(UnacknowledgedBatch batch) {
    sequencedBytes -= counted(batch);
  }

  void handedOver(UnacknowledgedBatch batch) {
    inFlightBytes += counted(batch);
  }

  /** The partition is about to be muted: its bytes wait for something else than room. */
  void leaveOut(int partition, UnacknowledgedBatches ofPartition) {
    leftOut[partition] = true;
    sequencedBytes -= ofPartition.bytes();
    inFlightBytes -= ofPartition.bytesInFlight();
  }

  /** The partition was muted, and its bytes count again. */
  void takeBack(int partition, UnacknowledgedBatches ofPartition) {
    leftOut[partition] = false;
    sequencedBytes += ofPartition.bytes();
    inFlightBytes += ofPartition.bytesInFlight();
  }

  void acknowledged(UnacknowledgedBatch batch) {
    sequencedBytes -= batch.bytes();
    inFlightBytes -= batch.bytes();
    limitBytes = Math.min(MAX_BYTES, limitBytes + batch.bytes());
  }

  /** Nothing is in flight any more. */
  void emptied() {
    inFlightBytes = 0;
  }

  /** Too much may have been in flight. */
  void cut() {
    limitBytes = Math.max(MIN_BYTES, limitBytes / 4);
  }

  private int counted(UnacknowledgedBatch batch) {
    return leftOut[batch.partition()] ? 0 : batch.bytes();
  }
}
