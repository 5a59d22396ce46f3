package io.weir.window.durable;

import io.weir.window.aggregate.Samples;
import java.util.ArrayList;
import java.util.List;

/**
 * What of a partition's windows has to be written: collected until it was. Not safe for several
 * threads.
 *
 * @param <S> the sensors
 */
public final class WindowChanges<S extends DurableSensor> {
  /** So many readings of a sensor are known one by one. */
  public static final int MOST_READINGS = UnwrittenReadings.MOST;

  /** New after each commit: see {@code PartitionWindows}. */
  private List<S> touched = new ArrayList<>();

  /** What they took, by their index in the list. */
  private final UnwrittenReadings readings = new UnwrittenReadings();

  private final List<S> purged = new ArrayList<>();
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

  /** Something of a sensor changed. */
  public void touched(S sensor) {
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
  public void took(
      S sensor, double[] values, int from, int to, long windowStartMs, long windowSizeMs) {
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
  public int readings(S sensor, DurableAggregate window, long windowStartMs, double[] into) {
    int all = window.unwrittenReadings();
    if (all > MOST_READINGS || !sensor.isChanged()) {
      return 0;
    }
    return readings.of(sensor.changeIndex(), windowStartMs, into) == all ? all : 0;
  }

  /** A window is kept no longer. */
  public void evicted(S sensor, DurableAggregate window, long startMs) {
    if (window.detached()) {
      dropped.add(new Dropped(sensor.id(), startMs));
    }
    Samples samples = window.samples();
    if (samples != null && samples.written() > 0) {
      droppedSamples.add(new DroppedSamples(sensor.id(), startMs, samples));
    }
  }

  /** A rollup is kept no longer. */
  public void droppedRollup(S sensor, DurableSpan rollup, long sizeMs, long startMs) {
    if (rollup.stored()) {
      droppedRollups.add(new DroppedRollup(sensor.id(), sizeMs, startMs));
    }
  }

  /** A window that was kept beyond its eviction is kept no longer. */
  public void droppedEvicted(S sensor, DurableSpan window, long startMs) {
    if (window.stored()) {
      droppedEvicted.add(new Dropped(sensor.id(), startMs));
    }
  }

  /** Nothing of a sensor is kept any more. */
  public void purged(S sensor) {
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
  public List<S> purged() {
    return purged;
  }

  /** To be put; null where a sensor was purged meanwhile. */
  public List<S> touched() {
    return touched;
  }

  /** Says that all was written. */
  public void clear() {
    touched = new ArrayList<>(touched.size());
    readings.clear();
    purged.clear();
    dropped.clear();
    droppedSamples.clear();
    droppedRollups.clear();
    droppedEvicted.clear();
  }
}
