package io.weir.cli;

import com.google.protobuf.Message;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;

/** Selects records of a sensor. */
record SensorFilter(String sensorId) {
  /** Whether a message contains the sensor. */
  boolean accepts(Message message) {
    if (message instanceof WindowSummary window) {
      return window.getSensorId().equals(sensorId);
    }
    return message instanceof ReadingBatch batch
        && (batch.getReadingsList().stream().anyMatch(r -> r.getSensorId().equals(sensorId))
            || batch.getSeriesList().stream().anyMatch(s -> s.getSensorId().equals(sensorId)));
  }
}
