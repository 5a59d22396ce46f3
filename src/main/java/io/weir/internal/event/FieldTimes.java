package io.weir.internal.event;

import java.util.Arrays;

/**
 * The times of an event's fields, if they differ from the event's: a publisher that folds sends
 * them. Not thread-safe.
 */
final class FieldTimes {
  private static final class Time extends KeyTable.Entry {
    private long ms;

    Time(byte[] name) {
      super(name);
    }
  }

  private final KeyTable<Time> byName = new KeyTable<>();
  private final long eventMs;

  private FieldTimes(long eventMs) {
    this.eventMs = eventMs;
  }

  /** The times of an event, or null if all fields have the event's. */
  static FieldTimes of(EventColumns batch, int event) {
    if (batch.firstTime(event) == batch.timesEnd(event)) {
      return null;
    }
    FieldTimes times = new FieldTimes(batch.timestampMs(event));
    byte[] record = batch.record();
    for (int t = batch.firstTime(event); t < batch.timesEnd(event); t++) {
      int offset = batch.timeNameOffset(t);
      int length = batch.timeNameLength(t);
      Time time = times.byName.get(record, offset, length);
      if (time == null) {
        time = new Time(Arrays.copyOfRange(record, offset, offset + length));
        times.byName.add(time);
      }
      time.ms = batch.timeMs(t); // Of several the last one counts, as in protobuf.
    }
    return times;
  }

  long of(byte[] record, int nameOffset, int nameLength) {
    Time time = byName.get(record, nameOffset, nameLength);
    return time == null ? eventMs : time.ms;
  }
}
