package io.weir.edge;

/**
 * How many bytes may be handed to the producer and not be acknowledged. Small enough that they fit
 * its memory and reach the brokers within its delivery timeout: a failure cuts the window to a
 * quarter and what is acknowledged widens it again, so that a slow uplink gets through too. For the
 * sender thread.
 */
final class SendWindow {
  static final long MIN_BYTES = 64 * 1024;
  static final long MAX_BYTES = 8 * 1024 * 1024;

  private long limitBytes = MAX_BYTES / 4;
  private long sequencedBytes;
  private long inFlightBytes;

  /** Whether more batches should get their sequence. */
  boolean wantsMore() {
    return sequencedBytes < limitBytes;
  }

  /**
   * Whether a partition with so many sequenced bytes should get more: it takes no more than it
   * leaves free, so that however many partitions stand still, the others find room.
   */
  boolean wantsMoreOf(long bytesUnderWay) {
    return wantsMore() && bytesUnderWay < limitBytes - sequencedBytes;
  }

  /** Whether another batch may be handed over. */
  boolean isOpen() {
    return inFlightBytes < limitBytes;
  }

  void sequenced(int bytes) {
    sequencedBytes += bytes;
  }

  /** Sequenced bytes are not to be sent from memory. */
  void forget(int bytes) {
    sequencedBytes -= bytes;
  }

  void handedOver(int bytes) {
    inFlightBytes += bytes;
  }

  /** A partition's bytes wait for something else than room. */
  void setAside(PartitionLane lane) {
    sequencedBytes -= lane.bytesUnderWay();
    inFlightBytes -= lane.bytesInFlight();
  }

  /** A partition's bytes that were set aside count again. */
  void takeBack(PartitionLane lane) {
    sequencedBytes += lane.bytesUnderWay();
    inFlightBytes += lane.bytesInFlight();
  }

  void acknowledged(int bytes) {
    sequencedBytes -= bytes;
    inFlightBytes -= bytes;
    limitBytes = Math.min(MAX_BYTES, limitBytes + bytes);
  }

  /** Nothing is in flight any more. */
  void emptied() {
    inFlightBytes = 0;
  }

  /** Too much was in flight, perhaps. */
  void cut() {
    limitBytes = Math.max(MIN_BYTES, limitBytes / 4);
  }
}
