package io.weir.reading;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Fills {@link ReadingColumns} with readings in row form, as a decoder would. */
public final class Columns {
  private record Row(String sensorId, long timestampMs, double value, int quality) {}

  private record Complete(String sensorId, long throughMs) {}

  private final List<Row> rows = new ArrayList<>();
  private final List<Complete> complete = new ArrayList<>();
  private boolean ordered;
  private String gatewayId = "";
  private long bootId;
  private long sequence;

  public Columns gateway(String id, long boot, long number) {
    gatewayId = id;
    bootId = boot;
    sequence = number;
    return this;
  }

  public Columns row(String sensorId, long timestampMs, double value) {
    return row(sensorId, timestampMs, value, 0);
  }

  public Columns bad(String sensorId, long timestampMs) {
    return row(sensorId, timestampMs, 0, Quality.BAD.number());
  }

  public Columns row(String sensorId, long timestampMs, double value, int quality) {
    rows.add(new Row(sensorId, timestampMs, value, quality));
    return this;
  }

  /** A sensor is complete through a time. */
  public Columns complete(String sensorId, long throughMs) {
    complete.add(new Complete(sensorId, throughMs));
    return this;
  }

  /** Sensors report in the order of time. */
  public Columns ordered() {
    ordered = true;
    return this;
  }

  public ReadingColumns build() {
    return into(new ReadingColumns());
  }

  /** Fills columns that may have held another batch before. */
  public ReadingColumns into(ReadingColumns columns) {
    ByteArrayOutputStream ids = new ByteArrayOutputStream();
    ids.writeBytes(utf8(gatewayId));
    rows.forEach(row -> ids.writeBytes(utf8(row.sensorId())));
    complete.forEach(entry -> ids.writeBytes(utf8(entry.sensorId())));
    columns.start(ids.toByteArray());
    int offset = utf8(gatewayId).length;
    columns.gateway(0, offset);
    columns.bootId(bootId);
    columns.sequence(sequence);
    for (Row row : rows) {
      int length = utf8(row.sensorId()).length;
      columns.row(offset, length, row.timestampMs(), row.value(), row.quality());
      offset += length;
    }
    for (Complete entry : complete) {
      int length = utf8(entry.sensorId()).length;
      columns.attestations().add(offset, length, entry.throughMs());
      offset += length;
    }
    columns.attestations().ordered(ordered);
    return columns;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
