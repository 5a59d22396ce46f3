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

  /** Whether another batch may be handed over. */
  boolean isOpen() {
    return inFlightBytes < limitBytes;
  }

  void sequenced(int bytes) {
    sequencedBytes += bytes;
  }

  void handedOver(int bytes) {
    inFlightBytes += bytes;
  }

  /** Sequenced bytes wait for something else than room. */
  void setAside(long bytes) {
    sequencedBytes -= bytes;
  }

  /** Bytes that were set aside count again. */
  void takeBack(long bytes) {
    sequencedBytes += bytes;
  }

  /** Came back unsent. */
  void returned(int bytes) {
    inFlightBytes -= bytes;
  }

  void acknowledged(int bytes) {
    sequencedBytes -= bytes;
    inFlightBytes -= bytes;
    limitBytes = Math.min(MAX_BYTES, limitBytes + bytes);
  }

  /** Nothing is in flight any more. */
  void failed() {
    inFlightBytes = 0;
    limitBytes = Math.max(MIN_BYTES, limitBytes / 4);
  }
}
