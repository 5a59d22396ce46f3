package io.weir.internal.imports;

import io.weir.internal.text.JsonValues.Literal;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;

/**
 * Reads Avro values by the schema that wrote them. Their number and depth are limited, since a
 * schema can be recursive and values can take no bytes. One thread.
 */
final class AvroTree {
  /** Digits of a larger number would take minutes. */
  private static final int MAX_DECIMAL_BYTES = 1_000;

  private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder();
  private BinaryDecoder in;
  private int left;

  /** Begins with the values of a record. */
  void begin() {
    left = RecordDecoder.MAX_VALUES;
  }

  /**
   * Reads a value.
   *
   * @throws IOException if the bytes are no such value
   * @throws RuntimeException likewise
   */
  Object read(Schema schema, BinaryDecoder from) throws IOException {
    in = from;
    return read(schema, 0);
  }

  private Object read(Schema schema, int depth) throws IOException {
    if (left-- <= 0) {
      throw new IOException("more than " + RecordDecoder.MAX_VALUES + " values");
    }
    if (depth > RecordDecoder.MAX_DEPTH) {
      throw new IOException("values are nested deeper than " + RecordDecoder.MAX_DEPTH);
    }
    return switch (schema.getType()) {
      case RECORD -> {
        Map<String, Object> members = new LinkedHashMap<>();
        for (Schema.Field field : schema.getFields()) {
          members.put(field.name(), read(field.schema(), depth + 1));
        }
        yield members;
      }
      case ARRAY -> {
        List<Object> elements = new ArrayList<>();
        for (long n = in.readArrayStart(); n > 0; n = in.arrayNext()) {
          for (long i = 0; i < n; i++) {
            elements.add(read(schema.getElementType(), depth + 1));
          }
        }
        yield elements;
      }
      case MAP -> {
        Map<String, Object> members = new LinkedHashMap<>();
        for (long n = in.readMapStart(); n > 0; n = in.mapNext()) {
          for (long i = 0; i < n; i++) {
            members.put(text(), read(schema.getValueType(), depth + 1));
          }
        }
        yield members;
      }
      case UNION -> read(schema.getTypes().get(in.readIndex()), depth + 1);
      case ENUM -> schema.getEnumSymbols().get(in.readEnum());
      case STRING -> text();
      case BYTES -> number(schema, readBytes(in, in.readLong()));
      case FIXED -> number(schema, readBytes(in, schema.getFixedSize()));
      case INT -> new Literal(Integer.toString(in.readInt()));
      case LONG -> number(schema.getLogicalType(), in.readLong());
      case FLOAT -> new Literal(Double.toString(in.readFloat()));
      case DOUBLE -> new Literal(Double.toString(in.readDouble()));
      case BOOLEAN -> new Literal(in.readBoolean() ? "1" : "0");
      case NULL -> null;
    };
  }

  private String text() throws IOException {
    return utf8.decode(ByteBuffer.wrap(readBytes(in, in.readLong()))).toString();
  }

  private static Object number(LogicalType type, long value) {
    return switch (type == null ? "" : type.getName()) {
      case "timestamp-millis" -> Instant.ofEpochMilli(value);
      case "timestamp-micros" -> Instant.ofEpochMilli(Math.floorDiv(value, 1_000L));
      case "timestamp-nanos" -> Instant.ofEpochMilli(Math.floorDiv(value, 1_000_000L));
      case "local-timestamp-millis" -> local(value);
      case "local-timestamp-micros" -> local(Math.floorDiv(value, 1_000L));
      case "local-timestamp-nanos" -> local(Math.floorDiv(value, 1_000_000L));
      default -> new Literal(Long.toString(value));
    };
  }

  private static LocalDateTime local(long millis) {
    return LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC);
  }

  /** Reads so many bytes; a record may claim more than it has. */
  static byte[] readBytes(BinaryDecoder in, long length) throws IOException {
    int left = in.inputStream().available();
    if (length < 0 || length > left) {
      throw new IOException("text or bytes of " + length + " bytes, and " + left + " are left");
    }
    byte[] bytes = new byte[(int) length];
    in.readFixed(bytes);
    return bytes;
  }

  /** A number; other bytes are neither a number nor a text. */
  private static Object number(Schema schema, byte[] unscaled) throws IOException {
    if (!(schema.getLogicalType() instanceof LogicalTypes.Decimal decimal)) {
      return List.of();
    }
    if (unscaled.length > MAX_DECIMAL_BYTES) {
      throw new IOException("decimal of " + unscaled.length + " bytes");
    }
    return new Literal(new BigDecimal(new BigInteger(unscaled), decimal.getScale()).toString());
  }
}
