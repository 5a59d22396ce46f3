package io.weir.edge;

import io.weir.topic.SensorPartition;

/**
 * Limits the bytes in flight, so that they fit the producer's memory and reach the brokers within
 * its delivery timeout. A failure reduces the window to a quarter and acknowledgements widen it
 * again, so that batches pass a slow uplink. Muted partitions do not count. Sender thread only.
 */
final class SendWindow {
  static final long MIN_BYTES = 64 * 1024;
  static final long MAX_BYTES = 8 * 1024 * 1024;

  private final boolean[] leftOut = new boolean[SensorPartition.COUNT];
  private long limitBytes = MAX_BYTES / 4;
  private long sequencedBytes;
  private long inFlightBytes;

  /** Whether more batches should be sequenced. */
  boolean wantsMore() {
    return sequencedBytes < limitBytes;
  }

  /**
   * Whether a partition with this number of sequenced bytes should get more: at most as many as it
   * leaves free, so that stalled partitions cannot fill the window.
   */
  boolean wantsMoreOf(long bytesUnderWay) {
    return wantsMore() && bytesUnderWay < limitBytes - sequencedBytes;
  }

  /** Whether another batch may be sent. */
  boolean isOpen() {
    return inFlightBytes < limitBytes;
  }

  /** Adds a sequenced batch. */
  void sequenced(UnacknowledgedBatch batch) {
    sequencedBytes += counted(batch);
  }

  /** Removes a batch that is not sent from memory. */
  void forget(UnacknowledgedBatch batch) {
    sequencedBytes -= counted(batch);
  }

  void handedOver(UnacknowledgedBatch batch) {
    inFlightBytes += counted(batch);
  }

  /** Excludes the bytes of a partition that is about to be muted. */
  void leaveOut(int partition, UnacknowledgedBatches ofPartition) {
    leftOut[partition] = true;
    sequencedBytes -= ofPartition.bytes();
    inFlightBytes -= ofPartition.bytesInFlight();
  }

  /** Includes the bytes of a partition that was muted. */
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

  /** No batches are in flight any more. */
  void emptied() {
    inFlightBytes = 0;
  }

  /** Reduces the window after a failure. */
  void cut() {
    limitBytes = Math.max(MIN_BYTES, limitBytes / 4);
  }

  private int counted(UnacknowledgedBatch batch) {
    return leftOut[batch.partition()] ? 0 : batch.bytes();
  }
}
