package io.weir.lab.bench;

import io.weir.internal.wire.BatchColumns;
import io.weir.internal.wire.BatchEncoder;

/** How the batches of a load are written. */
public enum LoadForm {
  /** Reading by reading in the order of their times, as a gateway in any language would. */
  ROW {
    @Override
    BatchWriter writer() {
      return new RowBatchEncoder()::encode;
    }
  },
  /** Series by series, as Weir's publisher does. */
  COLUMNAR {
    @Override
    BatchWriter writer() {
      return new BatchEncoder()::encode;
    }
  };

  /** Makes the bytes of a batch. For one thread. */
  @FunctionalInterface
  interface BatchWriter {
    byte[] write(String gatewayId, long bootId, long sequence, BatchColumns readings);
  }

  abstract BatchWriter writer();
}
