package io.weir.edge;

import io.weir.wire.BatchColumns;

/** Readings to the bytes of a batch; a test has one that fails. */
@FunctionalInterface
interface BatchEncoding {
  byte[] encode(String gatewayId, long bootId, long sequence, BatchColumns columns);
}
