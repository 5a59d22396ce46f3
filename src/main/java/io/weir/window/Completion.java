package io.weir.window;

import io.weir.reading.Attestations;
import io.weir.reading.IdBytes;
import io.weir.reading.IgnoredAttestation;
import io.weir.reading.ReadingColumns;
import io.weir.window.durable.WindowChanges;
import java.util.List;

/**
 * Closes windows of which a gateway said that all of their readings were handed over. Not safe for
 * several threads.
 */
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
   * Acts on what is left of a batch's attestations, after its readings were taken and before they
   * move their sensors' time. Costs a look-up an entry.
   *
   * @param inBatch the sensors that the batch gave readings to
   */
  void apply(ReadingColumns batch, List<SensorWindows> inBatch, WindowSink sink) {
    Attestations attestations = batch.attestations();
    for (int i = 0; i < attestations.size(); i++) {
      SensorWindows sensor = find(batch.bytes(), attestations, i);
      // A new sensor, or a forgotten one that has come back, has no time until the batch ends.
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
