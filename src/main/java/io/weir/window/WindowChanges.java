package io.weir.window;

import io.weir.window.aggregate.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What of a partition's windows has to be written: collected until it was. */
public final class WindowChanges {
  private final List<SensorWindows> touched = new ArrayList<>();

  /** How many readings each of them took, with 2 for more. */
  private byte[] taken = new byte[64];

  /** The reading of each of them that took one. */
  private double[] values = new double[64];

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
      if (index == taken.length) {
        taken = Arrays.copyOf(taken, index + index / 2);
        values = Arrays.copyOf(values, index + index / 2);
      }
      taken[index] = 0;
    }
  }

  /**
   * A sensor took a reading that is not bad, and perhaps further ones.
   *
   * @param readings how many
   */
  void took(SensorWindows sensor, double value, int readings) {
    touched(sensor);
    int index = sensor.changeIndex();
    values[index] = value;
    taken[index] = (byte) Math.min(2, taken[index] + readings);
  }

  /** Whether a sensor that changed took one reading, which is not bad, and no other. */
  public boolean tookOne(SensorWindows sensor) {
    return sensor.isChanged() && taken[sensor.changeIndex()] == 1;
  }

  /** The reading of a sensor that took one. */
  public double value(SensorWindows sensor) {
    return values[sensor.changeIndex()];
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
    purged.clear();
    dropped.clear();
    droppedSamples.clear();
    droppedRollups.clear();
    droppedEvicted.clear();
  }
}
