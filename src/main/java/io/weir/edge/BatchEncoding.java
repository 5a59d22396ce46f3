package io.weir.edge;

import io.weir.wire.BatchColumns;
import io.weir.wire.BatchCompleteness;

/** Readings to the bytes of a batch; a test has one that fails. */
@FunctionalInterface
interface BatchEncoding {
  byte[] encode(
      String gatewayId,
      long bootId,
      long sequence,
      BatchColumns columns,
      BatchCompleteness completeness);
}
