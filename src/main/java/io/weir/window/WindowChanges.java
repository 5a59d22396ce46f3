package io.weir.window;

import java.util.ArrayList;
import java.util.List;

/** What of a partition's windows has to be written: collected until it was. */
public final class WindowChanges {
  private final List<SensorWindows> touched = new ArrayList<>();
  private final List<byte[]> purged = new ArrayList<>();
  private final List<Dropped> dropped = new ArrayList<>();

  /** A window with an entry of its own that is kept no longer. */
  public record Dropped(byte[] sensorId, long startMs) {}

  void touched(SensorWindows sensor) {
    if (sensor.markDirty()) {
      touched.add(sensor);
    }
  }

  void evicted(SensorWindows sensor, Window window) {
    if (window.detached()) {
      dropped.add(new Dropped(sensor.id(), window.startMs()));
    }
  }

  void purged(SensorWindows sensor) {
    if (!sensor.markDirty()) {
      touched.remove(sensor);
    }
    purged.add(sensor.id());
  }

  public boolean isEmpty() {
    return touched.isEmpty() && purged.isEmpty() && dropped.isEmpty();
  }

  /** To be deleted, before anything is put. */
  public List<Dropped> dropped() {
    return dropped;
  }

  /** Ids of sensors to be deleted, before anything is put. */
  public List<byte[]> purged() {
    return purged;
  }

  /** To be put. */
  public List<SensorWindows> touched() {
    return touched;
  }

  /** Says that all was written. */
  public void clear() {
    touched.clear();
    purged.clear();
    dropped.clear();
  }
}
