package io.weir.internal.window.durable;

import io.weir.internal.window.aggregate.Samples;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the changes of a partition's windows until they are written. Not safe for several
 * threads.
 *
 * @param <S> the type of sensors
 */
public final class WindowChanges<S extends DurableSensor> {
  /** Maximum number of individual readings of a sensor. */
  public static final int MOST_READINGS = UnwrittenReadings.MOST;

  /** New after each commit: see {@code PartitionWindows}. */
  private List<S> touched = new ArrayList<>();

  /** Their readings, by their index in the list. */
  private final UnwrittenReadings readings = new UnwrittenReadings();

  private final List<S> purged = new ArrayList<>();
  private final List<Dropped> dropped = new ArrayList<>();
  private final List<DroppedSamples> droppedSamples = new ArrayList<>();
  private final List<DroppedRollup> droppedRollups = new ArrayList<>();
  private final List<Dropped> droppedEvicted = new ArrayList<>();

  /** A removed window with a separate entry. */
  public record Dropped(byte[] sensorId, long startMs) {}

  /** The written samples of a removed window. */
  public record DroppedSamples(byte[] sensorId, long startMs, Samples samples) {}

  /** A removed rollup with an entry. */
  public record DroppedRollup(byte[] sensorId, long sizeMs, long startMs) {}

  /** A sensor changed. */
  public void touched(S sensor) {
    if (!sensor.isChanged()) {
      int index = touched.size();
      touched.add(sensor);
      sensor.changeIndex(index);
      readings.begin(index);
    }
  }

  /**
   * Readings of a sensor were added to one window, none of them bad.
   *
   * @param values has them from an index, inclusive, to another, exclusive
   */
  public void readingsAdded(
      S sensor, double[] values, int from, int to, long windowStartMs, long windowSizeMs) {
    touched(sensor);
    readings.add(sensor.changeIndex(), values, from, to, windowStartMs, windowSizeMs);
  }

  /**
   * Returns the readings of a changed sensor in a window since its last write, in the order of
   * arrival.
   *
   * @param into receives up to {@value #MOST_READINGS}
   * @return their number; 0 if they are not stored individually
   */
  public int readings(S sensor, DurableAggregate window, long windowStartMs, double[] into) {
    int all = window.unwrittenReadings();
    if (all > MOST_READINGS || !sensor.isChanged()) {
      return 0;
    }
    return readings.of(sensor.changeIndex(), windowStartMs, into) == all ? all : 0;
  }

  /** A window was removed. */
  public void evicted(S sensor, DurableAggregate window, long startMs) {
    if (window.detached()) {
      dropped.add(new Dropped(sensor.id(), startMs));
    }
    Samples samples = window.samples();
    if (samples != null) {
      samples.leave();
      if (samples.written() > 0) {
        droppedSamples.add(new DroppedSamples(sensor.id(), startMs, samples));
      }
    }
  }

  /** A rollup was removed. */
  public void droppedRollup(S sensor, DurableSpan rollup, long sizeMs, long startMs) {
    if (rollup.stored()) {
      droppedRollups.add(new DroppedRollup(sensor.id(), sizeMs, startMs));
    }
  }

  /** A window that was retained after its eviction was removed. */
  public void droppedEvicted(S sensor, DurableSpan window, long startMs) {
    if (window.stored()) {
      droppedEvicted.add(new Dropped(sensor.id(), startMs));
    }
  }

  /** A sensor was removed from the state. */
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

  /** To be deleted, before any write. */
  public List<Dropped> dropped() {
    return dropped;
  }

  /** To be deleted, before any write. */
  public List<DroppedSamples> droppedSamples() {
    return droppedSamples;
  }

  /** To be deleted, before any write. */
  public List<DroppedRollup> droppedRollups() {
    return droppedRollups;
  }

  /** Windows that were retained after their eviction: to be deleted, before any write. */
  public List<Dropped> droppedEvicted() {
    return droppedEvicted;
  }

  /** Sensors to delete, before any write. */
  public List<S> purged() {
    return purged;
  }

  /** Sensors to write; null for a sensor that was purged meanwhile. */
  public List<S> touched() {
    return touched;
  }

  /** Marks all changes as written. */
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
