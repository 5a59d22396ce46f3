package io.weir.dev.bench;

import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.wire.BatchColumns;
import io.weir.wire.BatchEncoder;

/** How the batches of a load are written. */
public enum LoadForm {
  /** Reading by reading in the order of their times, as a gateway in any language would. */
  ROW {
    @Override
    BatchWriter writer() {
      return LoadForm::rows;
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

  private static byte[] rows(String gatewayId, long bootId, long sequence, BatchColumns readings) {
    ReadingBatch.Builder batch =
        ReadingBatch.newBuilder().setGatewayId(gatewayId).setBootId(bootId).setSequence(sequence);
    for (int i = 0; i < readings.size(); i++) {
      batch.addReadings(
          Reading.newBuilder()
              .setSensorId(readings.sensorId(i))
              .setTimestampMs(readings.timestampMs(i))
              .setValue(readings.value(i)));
    }
    return batch.build().toByteArray();
  }
}
