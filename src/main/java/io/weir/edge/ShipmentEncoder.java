package io.weir.edge;

/** A batch that has its sequence, to bytes. */
@FunctionalInterface
interface ShipmentEncoder {
  byte[] encode(Shipment shipment, PendingBatch pending);
}
