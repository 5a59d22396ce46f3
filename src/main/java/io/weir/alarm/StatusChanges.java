package io.weir.alarm;

import io.weir.window.SensorWindows;
import java.util.ArrayList;
import java.util.List;

/** What of the sensors' status has to be written: collected until it was. */
public final class StatusChanges {
  private final List<SensorWindows> touched = new ArrayList<>();
  private final List<byte[]> purged = new ArrayList<>();
  private final List<DroppedBaseline> dropped = new ArrayList<>();

  /** A baseline that is kept no longer, and has perhaps entries. */
  public record DroppedBaseline(byte[] sensorId, BaselineSpec spec, int chunks) {}

  void touched(SensorWindows sensor, KeptStatus status) {
    status.headChanged();
    baselinesTouched(sensor, status);
  }

  /** Nothing but baselines of it changed. */
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

  /** Sensors whose status is to be put. */
  public List<SensorWindows> touched() {
    return touched;
  }

  /** Ids of sensors whose status is to be deleted, before anything is put. */
  public List<byte[]> purged() {
    return purged;
  }

  /** To be deleted, before anything is put. */
  public List<DroppedBaseline> dropped() {
    return dropped;
  }

  /** Says that all was written. */
  public void clear() {
    touched.clear();
    purged.clear();
    dropped.clear();
  }
}
