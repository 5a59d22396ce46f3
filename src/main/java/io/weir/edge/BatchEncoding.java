package io.weir.edge;

import io.weir.internal.wire.BatchColumns;
import io.weir.internal.wire.BatchCompleteness;

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
