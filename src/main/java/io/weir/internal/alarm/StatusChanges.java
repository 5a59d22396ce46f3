package io.weir.internal.alarm;

import io.weir.internal.window.SensorWindows;
import java.util.ArrayList;
import java.util.List;

/** Collects changes of the sensors' status until they are written. */
public final class StatusChanges {
  private final List<SensorWindows> touched = new ArrayList<>();
  private final List<byte[]> purged = new ArrayList<>();
  private final List<DroppedBaseline> dropped = new ArrayList<>();

  /** A removed baseline that may have entries in the state. */
  public record DroppedBaseline(byte[] sensorId, BaselineSpec spec, int chunks) {}

  void touched(SensorWindows sensor, KeptStatus status) {
    status.headChanged();
    baselinesTouched(sensor, status);
  }

  /** Only the baselines of a sensor changed. */
  void baselinesTouched(SensorWindows sensor, KeptStatus status) {
    if (status.markDirty()) {
      touched.add(sensor);
    }
  }

  void dropped(SensorWindows sensor, Baseline baseline) {
    dropped.add(new DroppedBaseline(sensor.id(), baseline.spec(), baseline.chunks()));
  }

  void purged(SensorWindows sensor, KeptStatus status) {
    if (!status.markDirty()) {
      touched.remove(sensor);
    }
    purged.add(sensor.id());
  }

  /** Sensors whose status must be written. */
  public List<SensorWindows> touched() {
    return touched;
  }

  /** Ids of sensors whose status must be deleted, before any write. */
  public List<byte[]> purged() {
    return purged;
  }

  /** Baselines to delete, before any write. */
  public List<DroppedBaseline> dropped() {
    return dropped;
  }

  /** Marks all changes as written. */
  public void clear() {
    touched.clear();
    purged.clear();
    dropped.clear();
  }
}
