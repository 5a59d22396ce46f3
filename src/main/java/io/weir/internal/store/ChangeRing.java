package io.weir.internal.store;

import io.weir.internal.window.SensorWindows;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.window.durable.WindowChanges;
import java.io.IOException;
import java.util.Arrays;

/**
 * What changed of sensors and gateways, commit after commit, in records of changes: so a commit
 * writes a few bytes for each, and not all that is kept of it.
 *
 * <p>The records are under the keys of a ring of slots: each takes the place of the one so many
 * records before it. What an older record holds is needed until its members have been written
 * whole, into entries of their own, and before a slot is used again that is done for all members
 * that still need it. Most have been by then, each at its own time. So whoever reads the changelog
 * finds for every member its entry and, behind it, all changes since.
 *
 * <p>Each change names the record that its member was written with before. A change that does not
 * follow what was read is left out: either it is older than its member's entry, which then comes
 * later in the changelog, or something is missing, and then {@link #resume} refuses to go on.
 *
 * <p>A record ends where it has {@value #MEMBER_BYTES} bytes for each member, so that all of them
 * are in proportion to what is kept, however much changes in a commit: who reads the changelog
 * reads them too.
 *
 * <p>Each record says how many slots the ring has: their number is part of the format. Called by
 * the task's thread only.
 */
final class ChangeRing {
  /** A system property for tests: rings of so many slots, which are used again soon. */
  static final String PROPERTY = "weir.ring.slots";

  /** A member is written whole once in three quarters of so many records, and more. */
  static final int SLOTS = slots(Integer.getInteger(PROPERTY, 128));

  private static final int LEAST_SLOTS = 4;
  private static final int MOST_SLOTS = 256;

  /** A record that has so many bytes for each member is written, and another one begun. */
  private static final int MEMBER_BYTES = 12;

  private static final int LEAST_BYTES = 16 * 1024;
  private static final int MOST_BYTES = 128 * 1024;

  private final WindowSpec spec;
  private final WindowCodec windowCodec;
  private final ChangeRecordWriter writer;
  private final RingMembers<SensorWindows> sensors;
  private final RingMembers<GatewayMember> gateways;

  /** The record under way, or the last one. */
  private long record;

  /** Of the record under way: it is written once it has so many. */
  private int enoughBytes;

  /** By slot: the record that is there; 0 for none. */
  private final long[] inSlot;

  ChangeRing(
      WindowSpec spec,
      int slots,
      WindowCodec windowCodec,
      RingMembers<SensorWindows> sensors,
      RingMembers<GatewayMember> gateways) {
    this.spec = spec;
    this.inSlot = new long[slots];
    this.windowCodec = windowCodec;
    this.writer = new ChangeRecordWriter(spec, windowCodec);
    this.sensors = sensors;
    this.gateways = gateways;
  }

  private static int slots(int slots) {
    if (slots < LEAST_SLOTS || slots > MOST_SLOTS) {
      throw new IllegalArgumentException(
          PROPERTY + " is " + slots + "; expected: " + LEAST_SLOTS + " to " + MOST_SLOTS);
    }
    return slots;
  }

  /** The record under way. */
  long record() {
    return record;
  }

  /** Begins a record. Members that still need the record whose place it takes are written whole. */
  void begin(ChangeLog log) throws IOException {
    record = Math.incrementExact(record);
    writer.begin(record, inSlot.length);
    sensors.begin(record, log);
    gateways.begin(record, log);
    long all = (long) MEMBER_BYTES * (sensors.size() + gateways.size());
    enoughBytes = (int) Math.max(LEAST_BYTES, Math.min(MOST_BYTES, all));
  }

  /** Begins another record where the one under way has enough in it. */
  void makeRoom(ChangeLog log) throws IOException {
    if (writer.size() >= enoughBytes) {
      finish(log);
      begin(log);
    }
  }

  /** Writes the record under way. */
  void finish(ChangeLog log) {
    int slot = slotOf(record);
    log.put(StateKey.changes(slot), writer.finish());
    inSlot[slot] = record;
  }

  private int slotOf(long number) {
    return (int) (number % inSlot.length);
  }

  /** A sensor was deleted. */
  void delete(SensorWindows sensor) {
    if (sensor.number() > 0) {
      writer.delete(sensor.number());
      sensors.delete(sensor.number());
    }
  }

  /** A gateway was deleted. */
  void delete(GatewayMember gateway) {
    if (gateway.number() > 0) {
      writer.deleteGateway(gateway.number());
      gateways.delete(gateway.number());
    }
  }

  /** Whether what changed of a sensor is written into a record. */
  boolean takes(SensorWindows sensor) {
    return sensors.takes(sensor, record);
  }

  /** Whether what changed of a gateway is written into a record. */
  boolean takes(GatewayMember gateway) {
    return gateways.takes(gateway, record);
  }

  /** Adds what changed of a sensor that {@linkplain #takes is written here}. */
  void add(SensorWindows sensor, int attachedFrom, WindowChanges<SensorWindows> changes)
      throws IOException {
    writer.add(sensor, attachedFrom, changes);
    sensors.written(sensor, record);
  }

  /** Adds what was applied of a gateway that {@linkplain #takes is written here}. */
  void add(GatewayMember gateway) {
    writer.add(gateway);
    gateways.written(gateway, record);
  }

  /** A member was read from its own entry, which was written with a record. */
  void restored(long with) {
    record = Math.max(record, with);
  }

  /** Puts the changes of a record in place. */
  void restore(int slot, byte[] value) throws IOException {
    ChangeRecordReader reader = new ChangeRecordReader(value, spec, windowCodec);
    long read = reader.record();
    if (reader.slots() != inSlot.length || slot != slotOf(read)) {
      throw new IOException(
          "record of changes " + read + " of " + reader.slots() + " in slot " + slot);
    }
    record = Math.max(record, read);
    inSlot[slot] = read;
    sensors.restoreDeleted(reader.deleted());
    gateways.restoreDeleted(reader.deletedGateways());
    for (int i = 0; i < reader.sensors(); i++) {
      int number = reader.next();
      SensorWindows sensor = sensors.changed(number, reader.lastRecord(), read);
      if (sensor == null) {
        reader.skip();
      } else {
        reader.apply(sensor);
        sensor.writtenChanges(read);
      }
    }
    restoreGateways(reader, read);
    // Of records whose place was taken since, nothing is needed.
    long needed = neededFrom(read);
    sensors.forgetLeftOut(needed);
    gateways.forgetLeftOut(needed);
  }

  private void restoreGateways(ChangeRecordReader reader, long read) throws IOException {
    for (int i = 0; i < reader.gateways(); i++) {
      GatewayChange change = reader.nextGateway();
      GatewayMember gateway = gateways.changed(change.number(), change.lastRecord(), read);
      if (gateway != null) {
        gateway.apply(change);
        gateway.writtenChanges(read);
      }
    }
  }

  /** The first record that may be needed where that one is the last. */
  private long neededFrom(long last) {
    return Math.max(1, last - inSlot.length + 1);
  }

  /**
   * Goes on after all that was kept has been read back.
   *
   * @throws StateMismatchException if changes of a member are missing
   */
  void resume() {
    long needed = neededFrom(record);
    boolean whole = sensors.resume(needed);
    whole &= gateways.resume(needed);
    if (!whole || !isWholeFrom(needed)) {
      throw new StateMismatchException(
          "an entry of the changelog is missing: changes of sensors or gateways do not follow what"
              + " is there");
    }
  }

  /** Whether each slot has the last record that was written there. */
  private boolean isWholeFrom(long needed) {
    for (long number = record; number >= needed; number--) {
      if (inSlot[slotOf(number)] != number) {
        return false;
      }
    }
    return true;
  }

  /** Forgets everything at once, written or not. */
  void clear() {
    record = 0;
    Arrays.fill(inSlot, 0);
    sensors.clear();
    gateways.clear();
  }
}
