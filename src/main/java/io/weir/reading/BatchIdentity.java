package io.weir.reading;

/** Who published a batch, and which of its batches it is. */
public interface BatchIdentity {
  /** Who published it; made again at each call. */
  String gatewayId();

  /** Of the gateway's id, in bytes. */
  int gatewayLength();

  /** Unsigned; 0 where the batch is not sequenced. */
  long bootId();

  /** Unsigned; 0 where the batch is not sequenced. */
  long sequence();
}
