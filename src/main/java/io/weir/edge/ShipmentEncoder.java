package io.weir.edge;

/** A batch that is to have this sequence, to bytes. */
@FunctionalInterface
interface ShipmentEncoder {
  byte[] encode(long sequence, PendingBatch pending);
}
