package io.weir.lab.hostile;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The body of a request as a row says, before it is compressed. Texts are Latin-1. One thread. */
final class HostileBody {
  private static final int MOST_BYTES = 4 << 20;
  private static final String LONG_TEXT = "h".repeat(200_000);
  private static final int DEEP = 5_000;
  private static final int EMPTY = 500_000;
  private static final long DAY_MS = 86_400_000;

  private final HostileRow row;
  private final long nowMs;
  private final int labels;
  private final int samples;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private HostileBody(HostileRow row, long nowMs) {
    this.row = row;
    this.nowMs = nowMs;
    int bytes = text(HostilePart.LABEL_NAME, 0).length() + labelValue(0, 0).length() + 8;
    this.labels = Math.min(count(HostilePart.LABELS), Math.max(1, MOST_BYTES / 2 / bytes));
    this.samples = count(HostilePart.SAMPLES);
  }

  static byte[] of(HostileRow row, long nowMs) {
    return new HostileBody(row, nowMs).bytes();
  }

  /** Where it goes. */
  static String path(HostileRow row) {
    return switch (row.level(HostilePart.REQUEST_INPUT)) {
      case "lines" -> "/write";
      case "remote write", "remote write 2" -> "/api/v1/write";
      case "OTLP", "OTLP in JSON" -> "/v1/metrics";
      default -> throw HostileRecord.unknown(row, HostilePart.REQUEST_INPUT);
    };
  }

  static String type(HostileRow row) {
    return switch (row.level(HostilePart.REQUEST_INPUT)) {
      case "lines" -> "text/plain";
      case "remote write 2" -> "application/x-protobuf;proto=io.prometheus.write.v2.Request";
      case "OTLP in JSON" -> "application/json";
      default -> "application/x-protobuf";
    };
  }

  private byte[] bytes() {
    switch (row.level(HostilePart.REQUEST_INPUT)) {
      case "lines" -> lines();
      case "remote write" -> protobuf(0x0a, this::series);
      case "remote write 2" -> seriesWithSymbols();
      case "OTLP" -> protobuf(0x0a, this::metric);
      default -> json();
    }
    return out.toByteArray();
  }

  private int points() {
    return count(HostilePart.POINTS);
  }

  private int count(HostilePart part) {
    String level = row.level(part);
    return level.equals("none") ? 0 : Integer.parseInt(level.replace(",", ""));
  }

  private boolean isDeep() {
    return row.is(HostilePart.NESTING, "5,000 deep");
  }

  private int empty() {
    return row.is(HostilePart.EMPTY_PARTS, "none") ? 0 : EMPTY;
  }

  private String text(HostilePart part, int number) {
    return switch (row.level(part)) {
      case "empty" -> "";
      case "200 kB" -> LONG_TEXT;
      case "all different" -> "h" + number;
      case "no UTF-8" -> "\u00ff";
      case "one" -> "hostile";
      default -> row.level(part);
    };
  }

  /** The label of a point; the first has the name alone. */
  private String labelName(int label) {
    return text(HostilePart.LABEL_NAME, 0) + (label == 0 ? "" : label);
  }

  private String name(int point) {
    return text(HostilePart.POINT_NAME, point);
  }

  private String labelValue(int point, int label) {
    return text(HostilePart.LABEL_VALUE, point + label);
  }

  /** Of a metric, each with its labels. */
  private int dataPoints() {
    int each = labels * (labelName(0).length() + labelValue(0, 0).length() + 8) + 16;
    return Math.min(samples, Math.max(1, MOST_BYTES / 2 / each));
  }

  private double value() {
    return switch (row.level(HostilePart.SAMPLE_VALUE)) {
      case "1" -> 1;
      case "NaN" -> Double.NaN;
      case "infinite" -> Double.POSITIVE_INFINITY;
      default -> throw HostileRecord.unknown(row, HostilePart.SAMPLE_VALUE);
    };
  }

  private boolean hasTime() {
    return !row.is(HostilePart.SAMPLE_TIME, "none");
  }

  /** In a unit of which a millisecond has so many. */
  private long time(int number, long perMs) {
    return switch (row.level(HostilePart.SAMPLE_TIME)) {
      case "now", "none" -> (nowMs - number % 100) * perMs;
      case "0" -> 0;
      case "-2^63" -> Long.MIN_VALUE;
      case "2^63 - 1" -> Long.MAX_VALUE;
      case "a day apart" -> (nowMs - number * DAY_MS) * perMs;
      default -> throw HostileRecord.unknown(row, HostilePart.SAMPLE_TIME);
    };
  }

  private void add(String text) {
    out.writeBytes(latin1(text));
  }

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private void lines() {
    add("\n".repeat(empty()));
    if (isDeep()) {
      add("\\".repeat(2 * DEEP) + " f=1\n");
    }
    for (int point = 0; point < points() && out.size() < MOST_BYTES; point++) {
      add(name(point));
      for (int label = 0; label < labels; label++) {
        add("," + labelName(label) + "=" + labelValue(point, label));
      }
      for (int sample = 0; sample < samples; sample++) {
        add((sample == 0 ? " f" : ",f") + sample + "=" + value());
      }
      add(hasTime() ? " " + time(point, 1_000_000) + "\n" : "\n");
    }
  }

  /** A part of a message. */
  @FunctionalInterface
  private interface Content {
    void write(CodedOutputStream out) throws IOException;
  }

  /** A part of a message for each point. */
  @FunctionalInterface
  private interface PointContent {
    void write(CodedOutputStream out, int point) throws IOException;
  }

  private static byte[] message(Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream coded = CodedOutputStream.newInstance(bytes);
    try {
      content.write(coded);
      coded.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Points that all are fields of one tag, groups that nest, and parts without bytes. */
  private void protobuf(int tag, PointContent content) {
    for (int i = 0; i < empty(); i++) {
      out.write(tag);
      out.write(0);
    }
    for (int point = 0; point < points() && out.size() < MOST_BYTES; point++) {
      int number = point;
      byte[] each = message(coded -> content.write(coded, number));
      out.writeBytes(message(coded -> coded.writeByteArray(tag >> 3, each)));
    }
    if (isDeep()) {
      byte[] groups = new byte[2 * DEEP];
      Arrays.fill(groups, 0, DEEP, (byte) (15 << 3 | 3));
      Arrays.fill(groups, DEEP, groups.length, (byte) (15 << 3 | 4));
      out.writeBytes(groups);
    }
  }

  private void series(CodedOutputStream series, int point) throws IOException {
    writePair(series, 1, latin1("__name__"), latin1(name(point)));
    for (int label = 0; label < labels; label++) {
      writePair(series, 1, latin1(labelName(label)), latin1(labelValue(point, label)));
    }
    writeSamples(series, point);
  }

  private static void writePair(CodedOutputStream to, int field, byte[] name, byte[] value)
      throws IOException {
    to.writeByteArray(
        field,
        message(
            pair -> {
              pair.writeByteArray(1, name);
              pair.writeByteArray(2, value);
            }));
  }

  private void writeSamples(CodedOutputStream series, int point) throws IOException {
    for (int i = 0; i < samples; i++) {
      int number = point + i;
      series.writeByteArray(
          2,
          message(
              sample -> {
                sample.writeDouble(1, value());
                if (hasTime()) {
                  sample.writeInt64(2, time(number, 1));
                }
              }));
    }
  }

  /** Each text is a symbol: those of the labels first. */
  private void seriesWithSymbols() {
    int names = Math.min(points(), Math.max(1, MOST_BYTES / 2 / (name(0).length() + 2)));
    out.writeBytes(
        message(
            symbols -> {
              symbols.writeByteArray(4, latin1(""));
              symbols.writeByteArray(4, latin1("__name__"));
              for (int label = 0; label < labels; label++) {
                symbols.writeByteArray(4, latin1(labelName(label)));
                symbols.writeByteArray(4, latin1(labelValue(0, label)));
              }
              for (int point = 0; point < names; point++) {
                symbols.writeByteArray(4, latin1(name(point)));
              }
              for (int i = 0; i < empty(); i++) {
                symbols.writeByteArray(4, latin1(""));
              }
            }));
    protobuf(
        0x2a,
        (series, point) -> {
          series.writeByteArray(
              1,
              message(
                  references -> {
                    references.writeUInt32NoTag(1);
                    references.writeUInt32NoTag(2 + 2 * labels + point % names);
                    for (int i = 2; i < 2 + 2 * labels; i++) {
                      references.writeUInt32NoTag(i);
                    }
                  }));
          writeSamples(series, point);
        });
  }

  /** A resource with a scope with a metric. */
  private void metric(CodedOutputStream resource, int point) throws IOException {
    byte[] gauge =
        message(
            coded -> {
              for (int i = 0; i < dataPoints(); i++) {
                int number = point + i;
                coded.writeByteArray(1, message(data -> dataPoint(data, number)));
              }
            });
    byte[] metric =
        message(
            coded -> {
              coded.writeByteArray(1, latin1(name(point)));
              coded.writeByteArray(5, gauge);
            });
    resource.writeByteArray(2, message(scope -> scope.writeByteArray(2, metric)));
  }

  private void dataPoint(CodedOutputStream data, int number) throws IOException {
    for (int label = 0; label < labels; label++) {
      byte[] text = latin1(labelValue(number, label));
      byte[] value = message(any -> any.writeByteArray(1, text));
      for (int depth = 0; isDeep() && number + label == 0 && depth < DEEP / 4; depth++) {
        byte[] inner = value;
        byte[] array = message(coded -> coded.writeByteArray(1, inner));
        value = message(any -> any.writeByteArray(5, array));
      }
      writePair(data, 7, latin1(labelName(label)), value);
    }
    if (hasTime()) {
      data.writeFixed64(3, time(number, 1_000_000));
    }
    data.writeDouble(4, value());
  }

  private void json() {
    add("{\"resourceMetrics\":[" + "{},".repeat(empty()) + "{\"scopeMetrics\":[{\"metrics\":[");
    for (int point = 0; point < points() && out.size() < MOST_BYTES; point++) {
      add(point == 0 ? "" : ",");
      add("{\"name\":\"" + name(point) + "\",\"gauge\":{\"dataPoints\":[");
      for (int i = 0; i < dataPoints(); i++) {
        add((i == 0 ? "" : ",") + dataPointAsJson(point + i));
      }
      add("]}}");
    }
    add("]}]}]}");
  }

  private String dataPointAsJson(int number) {
    StringBuilder json = new StringBuilder("{\"attributes\":[");
    for (int label = 0; label < labels; label++) {
      json.append(label == 0 ? "" : ",").append("{\"key\":\"").append(labelName(label));
      int depth = isDeep() && number + label == 0 ? DEEP : 0;
      json.append("\",\"value\":").append("{\"arrayValue\":{\"values\":[".repeat(depth));
      json.append("{\"stringValue\":\"").append(labelValue(number, label)).append("\"}");
      json.append("]}}".repeat(depth)).append('}');
    }
    json.append("],\"asDouble\":\"").append(value()).append('"');
    if (hasTime()) {
      json.append(",\"timeUnixNano\":\"").append(time(number, 1_000_000)).append('"');
    }
    return json.append('}').toString();
  }
}
