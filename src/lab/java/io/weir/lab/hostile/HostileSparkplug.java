package io.weir.lab.hostile;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Random;

/** The topic and the payload of a message of Sparkplug B. Stateless. */
final class HostileSparkplug {
  private static final int MOST_BYTES = 8 << 20;
  private static final int DEEP = 5_000;
  private static final int LONG_TEXT = 200_000;
  private static final int DOUBLE = 10;

  // Made once, as each takes a while.
  private static final byte[] DATA_SET = dataSet();
  private static final byte[] TEMPLATES = templates();
  private static final byte[] DEEP_PROPERTIES = deepProperties();

  private HostileSparkplug() {}

  /** Writes fields. */
  @FunctionalInterface
  private interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  private static byte[] message(Fields fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      fields.write(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static String topic(HostileRow row) {
    String node =
        switch (row.level(HostilePart.NODE)) {
          case "one" -> "node";
          case "empty" -> "";
          case "1,000 characters" -> "n".repeat(1_000);
          case "all different" -> Long.toString(new Random().nextLong());
          default -> throw HostileRecord.unknown(row, HostilePart.NODE);
        };
    String type = row.level(HostilePart.NODE_MESSAGE);
    return "spBv1.0/hostile/" + type + "/" + node + (type.startsWith("D") ? "/" + node : "");
  }

  static byte[] payload(HostileRow row, long nowMs) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(
        message(
            out -> {
              if (!row.is(HostilePart.METRIC_TIME, "none")) {
                out.writeUInt64(1, time(row, nowMs));
              }
              switch (row.level(HostilePart.NODE_SEQUENCE)) {
                case "0" -> out.writeUInt64(3, 0);
                case "none" -> {}
                case "200" -> out.writeUInt64(3, 200);
                case "2^64 - 1" -> out.writeUInt64(3, -1);
                default -> throw HostileRecord.unknown(row, HostilePart.NODE_SEQUENCE);
              }
              switch (row.level(HostilePart.PAYLOAD_MORE)) {
                case "none" -> {}
                case "200 kB" -> {
                  out.writeString(4, "u".repeat(LONG_TEXT));
                  out.writeByteArray(5, new byte[LONG_TEXT]);
                }
                case "unknown" -> out.writeByteArray(1_000, new byte[LONG_TEXT]);
                default -> throw HostileRecord.unknown(row, HostilePart.PAYLOAD_MORE);
              }
            }));
    int metrics =
        switch (row.level(HostilePart.METRICS)) {
          case "1" -> 1;
          case "none" -> 0;
          case "10,000" -> 10_000;
          case "500,000 empty" -> 500_000;
          default -> throw HostileRecord.unknown(row, HostilePart.METRICS);
        };
    byte[] one = metrics > 10_000 ? new byte[0] : metric(row, 0, nowMs);
    boolean different =
        row.is(HostilePart.METRIC_NAME, "all different")
            || row.is(HostilePart.ALIAS, "all different");
    for (int i = 0; i < metrics && all.size() < MOST_BYTES; i++) {
      byte[] metric = different && metrics <= 10_000 ? metric(row, i, nowMs) : one;
      all.writeBytes(message(out -> out.writeByteArray(2, metric)));
    }
    return all.toByteArray();
  }

  private static long time(HostileRow row, long nowMs) {
    return switch (row.level(HostilePart.METRIC_TIME)) {
      case "now", "none" -> nowMs;
      case "0" -> 0;
      case "2^64 - 1" -> -1;
      default -> throw HostileRecord.unknown(row, HostilePart.METRIC_TIME);
    };
  }

  private static byte[] metric(HostileRow row, int number, long nowMs) {
    return message(
        out -> {
          writeName(row, number, out);
          switch (row.level(HostilePart.ALIAS)) {
            case "none" -> {}
            case "one" -> out.writeUInt64(2, 1);
            case "all different" -> out.writeUInt64(2, number);
            case "2^64 - 1" -> out.writeUInt64(2, -1);
            default -> throw HostileRecord.unknown(row, HostilePart.ALIAS);
          }
          if (!row.is(HostilePart.METRIC_TIME, "none")) {
            out.writeUInt64(3, time(row, nowMs));
          }
          switch (row.level(HostilePart.DATATYPE)) {
            case "double" -> out.writeUInt32(4, DOUBLE);
            case "none" -> {}
            case "2^32 - 1" -> out.writeUInt32(4, -1);
            default -> throw HostileRecord.unknown(row, HostilePart.DATATYPE);
          }
          if (row.is(HostilePart.METRIC_FLAGS, "both")) {
            out.writeBool(5, true);
            out.writeBool(6, true);
          }
          if (row.is(HostilePart.METADATA, "200 kB")) {
            out.writeByteArray(8, metadata());
          }
          writeProperties(row, out);
          writeValue(row, out);
        });
  }

  private static void writeName(HostileRow row, int number, CodedOutputStream out)
      throws IOException {
    switch (row.level(HostilePart.METRIC_NAME)) {
      case "one" -> out.writeString(1, "m");
      case "none" -> {}
      case "empty" -> out.writeString(1, "");
      case "200 kB" -> out.writeString(1, "m".repeat(LONG_TEXT));
      case "all different" -> out.writeString(1, "m" + number);
      case "no UTF-8" -> out.writeByteArray(1, new byte[] {(byte) 0xff, (byte) 0xc0});
      default -> throw HostileRecord.unknown(row, HostilePart.METRIC_NAME);
    }
  }

  private static byte[] metadata() {
    return message(
        out -> {
          out.writeBool(1, true);
          out.writeString(2, "t".repeat(LONG_TEXT));
          out.writeUInt64(3, -1);
          out.writeUInt64(4, -1);
          for (int field = 5; field <= 8; field++) {
            out.writeString(field, "t");
          }
        });
  }

  private static void writeProperties(HostileRow row, CodedOutputStream out) throws IOException {
    switch (row.level(HostilePart.METRIC_PROPERTIES)) {
      case "none" -> {}
      case "quality" -> out.writeByteArray(9, properties(1, property()));
      case "1,000" -> out.writeByteArray(9, properties(1_000, property()));
      case "5,000 deep" -> out.writeByteArray(9, DEEP_PROPERTIES);
      default -> throw HostileRecord.unknown(row, HostilePart.METRIC_PROPERTIES);
    }
  }

  private static byte[] deepProperties() {
    byte[] deep = property();
    for (int i = 0; i < DEEP; i++) {
      byte[] inner = properties(1, deep);
      // A set, and every other time a list of one.
      byte[] list = message(out -> out.writeByteArray(1, inner));
      int field = 9 + i % 2;
      deep = message(out -> out.writeByteArray(field, field == 9 ? inner : list));
    }
    return properties(1, deep);
  }

  private static byte[] properties(int count, byte[] value) {
    return message(
        out -> {
          for (int i = 0; i < count; i++) {
            out.writeString(1, "Quality");
            out.writeByteArray(2, value);
          }
        });
  }

  private static byte[] property() {
    return message(
        out -> {
          out.writeUInt32(1, -1);
          out.writeBool(2, false);
          writeNumbers(out, 3);
          out.writeByteArray(11, new byte[10]);
        });
  }

  /** An int, a long, a float, a double, a boolean and a text, from a field on. */
  private static void writeNumbers(CodedOutputStream out, int first) throws IOException {
    out.writeUInt32(first, -1);
    out.writeUInt64(first + 1, -1);
    out.writeFloat(first + 2, Float.NaN);
    out.writeDouble(first + 3, Double.NEGATIVE_INFINITY);
    out.writeBool(first + 4, true);
    out.writeString(first + 5, "t");
  }

  private static void writeValue(HostileRow row, CodedOutputStream out) throws IOException {
    switch (row.level(HostilePart.METRIC_VALUE)) {
      case "double" -> out.writeDouble(13, 1);
      case "null" -> out.writeBool(7, true);
      case "NaN" -> out.writeDouble(13, Double.NaN);
      case "all" -> {
        writeNumbers(out, 10);
        out.writeByteArray(16, new byte[10]);
      }
      case "text of 200 kB" -> out.writeString(15, "t".repeat(LONG_TEXT));
      case "bytes of 200 kB" -> out.writeBytes(16, ByteString.copyFrom(new byte[LONG_TEXT]));
      case "data set" -> out.writeByteArray(17, DATA_SET);
      case "templates 5,000 deep" -> out.writeByteArray(18, TEMPLATES);
      case "extension" -> out.writeByteArray(19, new byte[LONG_TEXT]);
      default -> throw HostileRecord.unknown(row, HostilePart.METRIC_VALUE);
    }
  }

  private static byte[] dataSet() {
    byte[] value =
        message(
            out -> {
              writeNumbers(out, 1);
              out.writeByteArray(7, new byte[10]);
            });
    byte[] line = message(out -> out.writeByteArray(1, value));
    return message(
        out -> {
          out.writeUInt64(1, -1);
          for (int i = 0; i < 10_000; i++) {
            out.writeString(2, "");
            out.writeUInt32(3, -1);
            out.writeByteArray(4, line);
          }
        });
  }

  private static byte[] templates() {
    byte[] parameter =
        message(
            out -> {
              out.writeString(1, "p");
              out.writeUInt32(2, -1);
              writeNumbers(out, 3);
              out.writeByteArray(9, new byte[10]);
            });
    byte[] deep = new byte[0];
    for (int i = 0; i < DEEP; i++) {
      byte[] inner = deep;
      byte[] metric = message(out -> out.writeByteArray(18, inner));
      deep = message(out -> out.writeByteArray(2, metric));
    }
    byte[] deepest = deep;
    return message(
        out -> {
          out.writeString(1, "v");
          out.writeByteArray(3, parameter);
          out.writeString(4, "r".repeat(LONG_TEXT));
          out.writeBool(5, true);
          out.writeRawBytes(deepest);
        });
  }
}
