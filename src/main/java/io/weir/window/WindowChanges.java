package io.weir.window;

import io.weir.window.aggregate.Samples;
import io.weir.window.durable.UnwrittenReadings;
import java.util.ArrayList;
import java.util.List;

/** What of a partition's windows has to be written: collected until it was. */
public final class WindowChanges {
  /** So many readings of a sensor are known one by one. */
  public static final int MOST_READINGS = UnwrittenReadings.MOST;

  private final List<SensorWindows> touched = new ArrayList<>();

  /** What they took, by their index in the list. */
  private final UnwrittenReadings readings = new UnwrittenReadings();

  private final List<SensorWindows> purged = new ArrayList<>();
  private final List<Dropped> dropped = new ArrayList<>();
  private final List<DroppedSamples> droppedSamples = new ArrayList<>();
  private final List<DroppedRollup> droppedRollups = new ArrayList<>();
  private final List<Dropped> droppedEvicted = new ArrayList<>();

  /** A window with an entry of its own that is kept no longer. */
  public record Dropped(byte[] sensorId, long startMs) {}

  /** Samples that were written of a window that is kept no longer. */
  public record DroppedSamples(byte[] sensorId, long startMs, Samples samples) {}

  /** A rollup with an entry that is kept no longer. */
  public record DroppedRollup(byte[] sensorId, long sizeMs, long startMs) {}

  void touched(SensorWindows sensor) {
    if (!sensor.isChanged()) {
      int index = touched.size();
      touched.add(sensor);
      sensor.changeIndex(index);
      readings.begin(index);
    }
  }

  /**
   * A sensor took readings in one window, none of them bad.
   *
   * @param values has them from an index to before another
   */
  void took(
      SensorWindows sensor,
      double[] values,
      int from,
      int to,
      long windowStartMs,
      long windowSizeMs) {
    touched(sensor);
    readings.add(sensor.changeIndex(), values, from, to, windowStartMs, windowSizeMs);
  }

  /**
   * Gives the readings that a sensor which changed took in a window since it was last written, in
   * the order in which they came.
   *
   * @param into room for {@value #MOST_READINGS}
   * @return how many they are; 0 where they are not known one by one
   */
  public int readings(SensorWindows sensor, Window window, double[] into) {
    int all = window.unwrittenReadings();
    if (all > MOST_READINGS || !sensor.isChanged()) {
      return 0;
    }
    return readings.of(sensor.changeIndex(), window.startMs(), into) == all ? all : 0;
  }

  void evicted(SensorWindows sensor, Window window) {
    if (window.detached()) {
      dropped.add(new Dropped(sensor.id(), window.startMs()));
    }
    Samples samples = window.samples();
    if (samples != null && samples.written() > 0) {
      droppedSamples.add(new DroppedSamples(sensor.id(), window.startMs(), samples));
    }
  }

  void dropped(SensorWindows sensor, Rollup rollup) {
    if (rollup.stored()) {
      droppedRollups.add(new DroppedRollup(sensor.id(), rollup.sizeMs(), rollup.startMs()));
    }
  }

  void dropped(SensorWindows sensor, EvictedWindow window) {
    if (window.stored()) {
      droppedEvicted.add(new Dropped(sensor.id(), window.startMs()));
    }
  }

  void purged(SensorWindows sensor) {
    if (sensor.isChanged()) {
      touched.set(sensor.changeIndex(), null);
    }
    purged.add(sensor);
  }

  public boolean isEmpty() {
    return touched.isEmpty()
        && purged.isEmpty()
        && dropped.isEmpty()
        && droppedSamples.isEmpty()
        && droppedRollups.isEmpty()
        && droppedEvicted.isEmpty();
  }

  /** To be deleted, before anything is put. */
  public List<Dropped> dropped() {
    return dropped;
  }

  /** To be deleted, before anything is put. */
  public List<DroppedSamples> droppedSamples() {
    return droppedSamples;
  }

  /** To be deleted, before anything is put. */
  public List<DroppedRollup> droppedRollups() {
    return droppedRollups;
  }

  /** Windows that were kept beyond their eviction: to be deleted, before anything is put. */
  public List<Dropped> droppedEvicted() {
    return droppedEvicted;
  }

  /** Sensors to be deleted, before anything is put. */
  public List<SensorWindows> purged() {
    return purged;
  }

  /** To be put; null where a sensor was purged meanwhile. */
  public List<SensorWindows> touched() {
    return touched;
  }

  /** Says that all was written. */
  public void clear() {
    touched.clear();
    readings.clear();
    purged.clear();
    dropped.clear();
    droppedSamples.clear();
    droppedRollups.clear();
    droppedEvicted.clear();
  }
}
