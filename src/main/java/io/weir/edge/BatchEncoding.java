package io.weir.edge;

import io.weir.wire.BatchColumns;
import io.weir.wire.BatchCompleteness;

/** Encodes readings as a batch; tests inject one that fails. */
@FunctionalInterface
interface BatchEncoding {
  byte[] encode(
      String gatewayId,
      long bootId,
      long sequence,
      BatchColumns columns,
      BatchCompleteness completeness);
}
