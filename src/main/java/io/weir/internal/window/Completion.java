package io.weir.internal.window;

import io.weir.internal.window.durable.WindowChanges;
import io.weir.reading.Attestations;
import io.weir.reading.IdBytes;
import io.weir.reading.IgnoredAttestation;
import io.weir.reading.ReadingColumns;
import java.util.List;

/** Closes windows that a gateway attests to be complete. Not thread-safe. */
final class Completion {
  private final WindowSpec spec;
  private final SensorTable sensors;
  private final WindowChanges<SensorWindows> changes;

  Completion(WindowSpec spec, SensorTable sensors, WindowChanges<SensorWindows> changes) {
    this.spec = spec;
    this.sensors = sensors;
    this.changes = changes;
  }

  /**
   * Applies a batch's accepted attestations, after its readings were added and before they advance
   * the sensors' time. Costs a look-up per entry.
   *
   * @param inBatch the sensors with readings in the batch
   */
  void apply(ReadingColumns batch, List<SensorWindows> inBatch, WindowSink sink) {
    Attestations attestations = batch.attestations();
    for (int i = 0; i < attestations.size(); i++) {
      SensorWindows sensor = find(batch.bytes(), attestations, i);
      // A new sensor, or an expired one that returned, has no watermark until the batch ends.
      if (sensor == null || !(sensor.isAwake() || sensor.inBatch())) {
        attestations.countIgnored(IgnoredAttestation.UNKNOWN_SENSOR);
      } else {
        complete(sensor, attestations.throughMs(i), sink);
      }
    }
    if (attestations.ordered()) {
      for (SensorWindows sensor : inBatch) {
        complete(sensor, sensor.batchLatestMs(), sink);
      }
    }
  }

  private SensorWindows find(byte[] bytes, Attestations attestations, int index) {
    int offset = attestations.idOffset(index);
    int length = attestations.idLength(index);
    return sensors.find(bytes, offset, length, IdBytes.hash(bytes, offset, length));
  }

  private void complete(SensorWindows sensor, long throughMs, WindowSink sink) {
    if (sensor.complete(spec, throughMs, sink)) {
      changes.touched(sensor);
    }
  }
}
