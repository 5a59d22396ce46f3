package io.weir.internal.store;

import com.google.protobuf.CodedOutputStream;
import io.weir.internal.store.ChangeRecord.Column;
import io.weir.internal.window.SensorSpans;
import io.weir.internal.window.SensorWindows;
import io.weir.internal.window.Window;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.window.durable.WindowChanges;
import java.io.IOException;

/** Puts a {@link ChangeRecord} together, sensor after sensor. Not safe for several threads. */
final class ChangeRecordWriter {
  private final WindowSpec spec;
  private final WindowCodec windows;
  private final DecimalCodec decimals = new DecimalCodec();

  /** Those of the window at hand. */
  private final double[] readings = new double[WindowChanges.MOST_READINGS];

  /** Null between two records. */
  private ChangeColumns columns;

  private long record;
  private int slots;
  private int deletions;
  private int lastDeleted;
  private int sensors;
  private int lastSensor;
  private int gatewayDeletions;
  private int lastDeletedGateway;
  private int gateways;
  private GatewayMember lastGateway;
  private long baseMs;
  private long lastActiveMs;

  ChangeRecordWriter(WindowSpec spec, WindowCodec windows) {
    this.spec = spec;
    this.windows = windows;
  }

  /**
   * Begins a record, whatever became of the one before; no other writer of the thread has one.
   *
   * @param ofRing how many slots the ring has
   */
  void begin(long number, int ofRing) {
    record = number;
    slots = ofRing;
    deletions = 0;
    lastDeleted = 0;
    sensors = 0;
    lastSensor = 0;
    gatewayDeletions = 0;
    lastDeletedGateway = 0;
    gateways = 0;
    lastGateway = null;
    columns = ChangeColumns.ofThread();
  }

  /** How many bytes it has so far. */
  int size() {
    return columns.size();
  }

  /** The sensor of a number was deleted. */
  void delete(int number) {
    columns.deleted().putZigzag(number - lastDeleted);
    lastDeleted = number;
    deletions++;
  }

  /** The gateway of a number was deleted. */
  void deleteGateway(int number) {
    columns.deletedGateways().putZigzag(number - lastDeletedGateway);
    lastDeletedGateway = number;
    gatewayDeletions++;
  }

  /** Adds what was applied of a gateway. */
  void add(GatewayMember gateway) {
    GatewayChange.write(gateway, lastGateway, record, column(Column.GATEWAYS));
    lastGateway = gateway;
    gateways++;
  }

  /**
   * Adds what changed of a sensor.
   *
   * @param attachedFrom the first of its windows that are part of it
   */
  void add(SensorWindows sensor, int attachedFrom, WindowChanges<SensorWindows> changes)
      throws IOException {
    if (sensors == 0) {
      baseMs = spec.startOf(sensor.lastActiveMs());
      lastActiveMs = baseMs;
    }
    column(Column.SENSORS).putZigzag(sensor.number() - lastSensor);
    column(Column.RECORDS).putVarint(record - sensor.lastRecord());
    addTimes(sensor);
    column(Column.WINDOWS).putVarint(sensor.windows() - attachedFrom);
    for (int i = attachedFrom; i < sensor.windows(); i++) {
      Window window = sensor.window(i);
      column(Column.WINDOWS).putZigzag((window.startMs() - baseMs) / spec.sizeMs());
      int taken =
          window.statistics() == null
              ? changes.readings(sensor, window, window.startMs(), readings)
              : 0;
      int kind = kindOf(window, taken);
      column(Column.WINDOWS).put(kind);
      if (kind != ChangeRecord.UNCHANGED) {
        addHead(sensor, window);
      }
      if (kind == ChangeRecord.WHOLE) {
        addAggregate(window);
      } else {
        for (int j = 0; j < taken; j++) {
          decimals.write(readings[j] + 0.0, column(Column.READINGS));
        }
      }
    }
    lastSensor = sensor.number();
    lastActiveMs = sensor.lastActiveMs();
    sensors++;
  }

  /**
   * @param taken how many readings it took, where they are known one by one
   */
  private static int kindOf(Window window, int taken) {
    if (window.detached() || taken == 0 && window.unwrittenReadings() > 0) {
      return ChangeRecord.WHOLE;
    } else if (taken > 0) {
      return taken == 1 ? ChangeRecord.ONE_READING : taken + ChangeRecord.READINGS;
    }
    return window.dirty() ? ChangeRecord.HEAD : ChangeRecord.UNCHANGED;
  }

  private void addTimes(SensorWindows sensor) {
    column(Column.FLAGS).put(SensorCodec.flags(sensor));
    column(Column.ACTIVE).putZigzag(sensor.lastActiveMs() - lastActiveMs);
    long nearMs = sensor.lastActiveMs();
    if (sensor.isAwake()) {
      column(Column.WATERMARKS).putZigzag(sensor.watermarkMs() - nearMs);
      nearMs = sensor.watermarkMs();
    }
    addTime(sensor.evictedThroughMs(), nearMs);
    addTime(sensor.attestedThroughMs(), nearMs);
    SensorSpans spans = sensor.spans();
    if (spans != null) {
      addTime(spans.knownFromMs(), nearMs);
      if (spans.hopMs() > 0) {
        column(Column.TIMES).putVarint(spans.hopMs());
        addTime(spans.hopsKnownFromMs(), nearMs);
      }
    }
    addTime(sensor.withheldThroughMs(), nearMs);
  }

  private void addTime(long timeMs, long nearMs) {
    if (timeMs != SensorCodec.NONE) {
      column(Column.TIMES).putZigzag(timeMs - nearMs);
    }
  }

  private void addHead(SensorWindows sensor, Window window) throws IOException {
    ByteColumn column = column(Column.HEADS);
    int most = WindowCodec.mostHeadBytes();
    CodedOutputStream out = CodedOutputStream.newInstance(column.room(most), column.size(), most);
    windows.writeHead(sensor, window, out);
    column.advance(out.getTotalBytesWritten());
  }

  private void addAggregate(Window window) throws IOException {
    ByteColumn column = column(Column.AGGREGATES);
    int most = WindowCodec.mostBytes(window);
    CodedOutputStream out = CodedOutputStream.newInstance(column.room(most), column.size(), most);
    windows.writeAggregate(window, out);
    column.advance(out.getTotalBytesWritten());
  }

  private ByteColumn column(Column column) {
    return columns.get(column);
  }

  /** The record. */
  byte[] finish() {
    ByteColumn head = columns.record();
    head.putVarint(StateFormat.NUMBER);
    head.putVarint(record);
    head.putVarint(slots);
    head.putVarint(spec.sizeMs());
    head.putZigzag(sensors == 0 ? 0 : baseMs);
    head.putVarint(deletions);
    head.put(columns.deleted().array(), 0, columns.deleted().size());
    head.putVarint(sensors);
    head.putVarint(gatewayDeletions);
    head.put(columns.deletedGateways().array(), 0, columns.deletedGateways().size());
    head.putVarint(gateways);
    byte[] bytes = columns.finish();
    columns = null;
    lastGateway = null;
    return bytes;
  }
}
