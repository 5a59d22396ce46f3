package io.weir.reading;

/** The gateway, boot id and sequence of a batch. */
public interface BatchIdentity {
  /** The gateway id; allocates with each call. */
  String gatewayId();

  /** The offset of the gateway id in the record. */
  int gatewayOffset();

  /** The length of the gateway id, in bytes. */
  int gatewayLength();

  /** Unsigned; 0 where the batch is not sequenced. */
  long bootId();

  /** Unsigned; 0 where the batch is not sequenced. */
  long sequence();
}
