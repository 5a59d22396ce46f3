package io.weir.store;

import io.weir.window.PartitionWindows;
import io.weir.window.SensorWindows;
import io.weir.window.WindowChanges;
import io.weir.window.WindowSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What changed of sensors, commit after commit, in records of changes: so a commit writes a few
 * bytes for a sensor, and not all that is kept of it.
 *
 * <p>The records are under the keys of a ring of {@value #SLOTS} slots: each takes the place of the
 * one {@value #SLOTS} records before it. What an older record holds is needed until its sensors
 * have been written whole, into entries of their own, and before a slot is used again that is done
 * for all sensors that still need it. Most have been by then, each at its own time. So whoever
 * reads the changelog finds for every sensor its entry and, behind it, all changes since.
 *
 * <p>Each change names the record that its sensor was written with before. A change that does not
 * follow what was read is left out: either it is older than its sensor's entry, which then comes
 * later in the changelog, or something is missing, and then {@link #resume} refuses to go on.
 *
 * <p>The number of slots is part of the format. Called by the task's thread only.
 */
final class ChangeRing {
  static final int SLOTS = 64;

  /** A record that has so many bytes is written, and another one begun. */
  private static final int ENOUGH_BYTES = 128 * 1024;

  private final WindowSpec spec;
  private final WindowCodec windowCodec;
  private final ChangeRecordWriter writer;

  /** The record under way, or the last one. */
  private long record;

  /** By slot: the record that is there; 0 for none. */
  private final long[] inSlot = new long[SLOTS];

  /** By slot: sensors of which changes were first written there. Some were written whole since. */
  private final List<List<SensorWindows>> firstChanged = new ArrayList<>();

  /** Those that sensors have. */
  private final BitSet numbers = new BitSet();

  /** No smaller one is free. */
  private int freeFrom = 1;

  /** By number, for reading only; null where it has to be made. */
  private SensorWindows[] byNumber;

  /** Numbers of sensors whose changes were left out, and the last record that had any. */
  private final Map<Integer, Long> leftOut = new HashMap<>();

  /** Writes all of a sensor into its own entry. */
  @FunctionalInterface
  interface EntryWriter {
    void write(SensorWindows sensor) throws IOException;
  }

  ChangeRing(WindowSpec spec, WindowCodec windowCodec) {
    this.spec = spec;
    this.windowCodec = windowCodec;
    this.writer = new ChangeRecordWriter(spec, windowCodec);
    for (int i = 0; i < SLOTS; i++) {
      firstChanged.add(new ArrayList<>());
    }
  }

  /** The record under way. */
  long record() {
    return record;
  }

  private static int slotOf(long record) {
    return (int) (record % SLOTS);
  }

  /**
   * Begins a record.
   *
   * @param entries writes the sensors that still need the record whose place it takes
   */
  void begin(EntryWriter entries) throws IOException {
    record = Math.incrementExact(record);
    writer.begin(record);
    List<SensorWindows> needing = firstChanged.set(slotOf(record), new ArrayList<>());
    for (SensorWindows sensor : needing) {
      if (sensor.changesFrom() == record - SLOTS && !sensor.isRemoved()) {
        entries.write(sensor);
      }
    }
  }

  /** A sensor was deleted: its changes are needed no longer. */
  void delete(SensorWindows sensor) {
    int number = sensor.number();
    if (number > 0) {
      writer.delete(number);
      numbers.clear(number);
      freeFrom = Math.min(freeFrom, number);
    }
  }

  /**
   * Whether what changed of a sensor is written here, and not all of it into its own entry. Sensors
   * that came at one time are not written whole at one time again.
   */
  boolean takes(SensorWindows sensor) {
    long first = sensor.changesFrom();
    return sensor.lastRecord() > 0
        && (first == 0 || record - first < SLOTS / 2 + sensor.number() % (SLOTS / 2));
  }

  /** Adds what changed of a sensor that {@linkplain #takes is written here}. */
  void add(SensorWindows sensor, int attachedFrom, WindowChanges changes) throws IOException {
    writer.add(sensor, attachedFrom, changes);
    if (sensor.changesFrom() == 0) {
      firstChanged.get(slotOf(record)).add(sensor);
    }
    sensor.writtenChanges(record);
  }

  /** Whether the record under way has enough in it. */
  boolean isFull() {
    return writer.size() >= ENOUGH_BYTES;
  }

  /** Writes the record under way. */
  void finish(ChangeLog log) {
    log.put(StateKey.changes(slotOf(record)), writer.finish());
    inSlot[slotOf(record)] = record;
  }

  /** The number of a sensor, given where it has none. */
  int numberOf(SensorWindows sensor) {
    if (sensor.number() > 0) {
      return sensor.number();
    }
    int number = numbers.nextClearBit(freeFrom);
    numbers.set(number);
    freeFrom = number + 1;
    return number;
  }

  /** A sensor was read from its own entry. */
  void restored(SensorWindows sensor) {
    int number = sensor.number();
    if (number == 0) {
      return;
    }
    if (byNumber != null) {
      index(sensor);
    }
    leftOut.remove(number);
    record = Math.max(record, sensor.lastRecord());
  }

  /** Puts the changes of a record in place. */
  void restore(int slot, byte[] value, PartitionWindows windows) throws IOException {
    if (byNumber == null) {
      byNumber = new SensorWindows[1024];
      windows.forEach(this::index);
    }
    ChangeRecordReader reader = new ChangeRecordReader(value, spec, windowCodec);
    long read = reader.record();
    if (slot != slotOf(read)) {
      throw new IOException("record of changes " + read + " in slot " + slot);
    }
    record = Math.max(record, read);
    inSlot[slot] = read;
    // Its entry was deleted too: whether the sensor is back since, that says.
    for (int number : reader.deleted()) {
      leftOut.remove(number);
    }
    for (int i = 0; i < reader.sensors(); i++) {
      int number = reader.next();
      SensorWindows sensor = find(number);
      if (sensor != null && sensor.lastRecord() == reader.lastRecord()) {
        reader.apply(sensor);
        sensor.writtenChanges(read);
      } else {
        reader.skip();
        leftOut.put(number, read);
      }
    }
    // Of records whose place was taken since, nothing is needed.
    leftOut.values().removeIf(earlier -> earlier <= read - SLOTS);
  }

  private void index(SensorWindows sensor) {
    int number = sensor.number();
    if (number >= byNumber.length) {
      byNumber = Arrays.copyOf(byNumber, Math.max(number + 1, 2 * byNumber.length));
    }
    byNumber[number] = sensor;
  }

  private SensorWindows find(int number) {
    SensorWindows sensor = number > 0 && number < byNumber.length ? byNumber[number] : null;
    return sensor == null || sensor.isRemoved() || sensor.number() != number ? null : sensor;
  }

  /**
   * Goes on after all that was kept has been read back.
   *
   * @throws StateMismatchException if changes of a sensor are missing
   */
  void resume(PartitionWindows windows) {
    byNumber = null;
    firstChanged.forEach(List::clear);
    numbers.clear();
    freeFrom = 1;
    windows.forEach(this::resume);
    if (!leftOut.isEmpty() || !isWhole()) {
      throw missing();
    }
  }

  /** Whether each slot has the last record that was written there. */
  private boolean isWhole() {
    for (long number = record; number > 0 && number > record - SLOTS; number--) {
      if (inSlot[slotOf(number)] != number) {
        return false;
      }
    }
    return true;
  }

  private void resume(SensorWindows sensor) {
    if (sensor.number() > 0) {
      numbers.set(sensor.number());
    }
    long first = sensor.changesFrom();
    if (first > 0) {
      if (first <= record - SLOTS) {
        throw missing();
      }
      firstChanged.get(slotOf(first)).add(sensor);
    }
  }

  private static StateMismatchException missing() {
    return new StateMismatchException(
        "an entry of the changelog is missing: changes of sensors do not follow what is there");
  }

  /** Forgets everything at once, written or not. */
  void clear() {
    record = 0;
    Arrays.fill(inSlot, 0);
    firstChanged.forEach(List::clear);
    numbers.clear();
    freeFrom = 1;
    byNumber = null;
    leftOut.clear();
  }
}
