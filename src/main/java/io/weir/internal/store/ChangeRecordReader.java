package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import io.weir.internal.store.ChangeRecord.Column;
import io.weir.internal.window.SensorWindows;
import io.weir.internal.window.Window;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.window.aggregate.Aggregate;
import java.io.IOException;

/** Reads a {@link ChangeRecord} into the sensors that it speaks of, then gateway after gateway. */
final class ChangeRecordReader {
  private final WindowSpec spec;
  private final WindowCodec windows;
  private final CodedInputStream in;
  private final long record;
  private final int slots;
  private final long baseMs;
  private final int[] deleted;
  private final int sensors;
  private final int[] deletedGateways;
  private final int gateways;
  private final CodedInputStream[] columns;
  private GatewayChange lastGateway;
  private int number;
  private long before;

  /** Times of the sensor at hand. */
  private long lastActiveMs;

  private long watermarkMs;
  private long evictedMs;
  private long attestedMs;
  private long withheldMs;
  private long knownFromMs;
  private long hopMs;
  private long hopsKnownFromMs;

  ChangeRecordReader(byte[] value, WindowSpec spec, WindowCodec windows) throws IOException {
    this.spec = spec;
    this.windows = windows;
    in = StateFormat.read(value);
    record = in.readUInt64();
    if (record < 1) {
      throw new IOException("a record of changes has the number " + record);
    }
    slots = in.readUInt32();
    StateMismatchException.requireWindowSize(in.readUInt64(), spec.sizeMs());
    baseMs = in.readSInt64();
    lastActiveMs = baseMs;
    deleted = numbers(value.length);
    sensors = atMost(in.readUInt32(), value.length);
    deletedGateways = numbers(value.length);
    gateways = atMost(in.readUInt32(), value.length);
    columns = columns(value);
  }

  /** Numbers, each less the one before. */
  private int[] numbers(int most) throws IOException {
    int[] numbers = new int[atMost(in.readUInt32(), most)];
    int last = 0;
    for (int i = 0; i < numbers.length; i++) {
      last += in.readSInt32();
      numbers[i] = last;
    }
    return numbers;
  }

  private static int atMost(int number, int most) throws IOException {
    if (number < 0 || number > most) {
      throw new IOException("a record of changes has " + number + " of something");
    }
    return number;
  }

  private CodedInputStream[] columns(byte[] value) throws IOException {
    int[] lengths = new int[Column.values().length];
    for (int i = 0; i < lengths.length; i++) {
      lengths[i] = in.readUInt32();
    }
    CodedInputStream[] found = new CodedInputStream[lengths.length];
    int offset = in.getTotalBytesRead();
    for (int i = 0; i < lengths.length; i++) {
      if (lengths[i] < 0 || lengths[i] > value.length - offset) {
        throw new IOException("a record of changes is shorter than its columns");
      }
      found[i] = CodedInputStream.newInstance(value, offset, lengths[i]);
      offset += lengths[i];
    }
    return found;
  }

  /** How many slots its ring has. */
  int slots() {
    return slots;
  }

  /** Numbers of gateways that were deleted. */
  int[] deletedGateways() {
    return deletedGateways;
  }

  /** How many gateways changed. */
  int gateways() {
    return gateways;
  }

  /** Goes to the next gateway, and gives what was applied of it. */
  GatewayChange nextGateway() throws IOException {
    lastGateway = GatewayChange.read(column(Column.GATEWAYS), lastGateway, record);
    return lastGateway;
  }

  /** Its own number. */
  long record() {
    return record;
  }

  /** Numbers of sensors that were deleted. */
  int[] deleted() {
    return deleted;
  }

  /** How many sensors changed. */
  int sensors() {
    return sensors;
  }

  /** Goes to the next sensor, and gives its number. */
  int next() throws IOException {
    number += column(Column.SENSORS).readSInt32();
    before = column(Column.RECORDS).readUInt64();
    return number;
  }

  /** The record that the sensor at hand was last written with. */
  long lastRecord() {
    return record - before;
  }

  /** Puts what changed of the sensor at hand in place. */
  void apply(SensorWindows sensor) throws IOException {
    readTimes();
    sensor.resume(watermarkMs, evictedMs, attestedMs, withheldMs, lastActiveMs);
    sensor.resumeSpans(knownFromMs, hopMs, hopsKnownFromMs);
    int number = windowsOfSensor();
    int detached = sensor.indexFrom(sensor.unwrittenFromMs());
    sensor.written(Long.MAX_VALUE);
    long afterMs = Long.MIN_VALUE;
    for (int i = 0; i < number; i++) {
      long startMs = startOfWindow();
      dropBetween(sensor, detached, afterMs, startMs);
      apply(sensor, startMs, column(Column.WINDOWS).readRawByte());
      sensor.windowChanged(startMs);
      afterMs = startMs;
    }
    dropBetween(sensor, detached, afterMs, Long.MAX_VALUE);
  }

  /** Leaves out what changed of the sensor at hand. */
  void skip() throws IOException {
    readTimes();
    int number = windowsOfSensor();
    for (int i = 0; i < number; i++) {
      startOfWindow();
      int kind = column(Column.WINDOWS).readRawByte();
      if (kind != ChangeRecord.UNCHANGED) {
        WindowCodec.skipHead(column(Column.HEADS));
      }
      for (int readings = readingsOf(kind); readings > 0; readings--) {
        DecimalCodec.read(column(Column.READINGS));
      }
      if (kind == ChangeRecord.WHOLE) {
        AggregateCodec.skip(column(Column.AGGREGATES));
      }
    }
  }

  private void readTimes() throws IOException {
    int flags = column(Column.FLAGS).readRawByte();
    lastActiveMs += column(Column.ACTIVE).readSInt64();
    long nearMs = lastActiveMs;
    watermarkMs = SensorCodec.NONE;
    if ((flags & SensorCodec.HAS_WATERMARK) != 0) {
      watermarkMs = nearMs + column(Column.WATERMARKS).readSInt64();
      nearMs = watermarkMs;
    }
    evictedMs = readTime(flags & SensorCodec.HAS_EVICTED, nearMs);
    attestedMs = readTime(flags & SensorCodec.HAS_ATTESTED, nearMs);
    knownFromMs = readTime(flags & SensorCodec.HAS_KNOWN_FROM, nearMs);
    hopMs = (flags & SensorCodec.HAS_HOPS) != 0 ? column(Column.TIMES).readUInt64() : 0;
    hopsKnownFromMs = readTime(flags & SensorCodec.HAS_HOPS_KNOWN_FROM, nearMs);
    withheldMs = readTime(flags & SensorCodec.HAS_WITHHELD, nearMs);
  }

  private long readTime(int flag, long nearMs) throws IOException {
    return flag == 0 ? SensorCodec.NONE : nearMs + column(Column.TIMES).readSInt64();
  }

  private int windowsOfSensor() throws IOException {
    return atMost(column(Column.WINDOWS).readUInt32(), WindowEntries.ATTACHED_WINDOWS);
  }

  private long startOfWindow() throws IOException {
    return baseMs + column(Column.WINDOWS).readSInt64() * spec.sizeMs();
  }

  /**
   * Those that are part of the sensor and not in the record were evicted, or are on their own.
   *
   * @param detached how many of its windows are older than all that are part of it
   */
  private static void dropBetween(SensorWindows sensor, int detached, long afterMs, long beforeMs) {
    for (int i = sensor.windows() - 1; i >= detached; i--) {
      Window window = sensor.window(i);
      if (window.startMs() <= afterMs) {
        return;
      }
      if (window.startMs() < beforeMs && !window.detached()) {
        sensor.dropIf(each -> each == window);
      }
    }
  }

  /** How many readings a window of a kind is written with. */
  private static int readingsOf(int kind) {
    if (kind == ChangeRecord.ONE_READING) {
      return 1;
    }
    return kind > ChangeRecord.WHOLE ? kind - ChangeRecord.READINGS : 0;
  }

  private void apply(SensorWindows sensor, long startMs, int kind) throws IOException {
    if (kind < ChangeRecord.UNCHANGED || kind > ChangeRecord.MOST_KIND) {
      throw new IOException("a window is written as " + kind);
    }
    Window kept = sensor.find(startMs);
    boolean known = kept != null && !kept.detached();
    if (kind == ChangeRecord.UNCHANGED) {
      require(known);
      return;
    }
    windows.readHead(
        column(Column.HEADS),
        sensor,
        startMs,
        false,
        window -> {
          switch (kind) {
            case ChangeRecord.HEAD -> {
              require(known);
              window.restore(kept);
            }
            case ChangeRecord.WHOLE ->
                windows.readAggregate(column(Column.AGGREGATES), sensor, window);
            default -> {
              Aggregate values = known ? kept : new Aggregate();
              for (int readings = readingsOf(kind); readings > 0; readings--) {
                values.add(DecimalCodec.read(column(Column.READINGS)));
              }
              window.restore(values);
            }
          }
        });
  }

  private static void require(boolean known) throws IOException {
    if (!known) {
      throw new IOException("a record of changes speaks of a window that is not there");
    }
  }

  private CodedInputStream column(Column column) {
    return columns[column.ordinal()];
  }
}
