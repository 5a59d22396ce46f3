package io.weir.internal.input.sparkplug;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes payloads as edge nodes do. */
final class PayloadBuilder {
  static final int INT8 = 1;
  static final int INT32 = 3;
  static final int INT64 = 4;
  static final int UINT64 = 8;
  static final int FLOAT = 9;
  static final int DOUBLE = 10;
  static final int BOOLEAN = 11;
  static final int STRING = 12;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** Writes fields. */
  @FunctionalInterface
  interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  static byte[] message(Fields fields) {
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

  /** Time and sequence; a negative one is none. */
  static PayloadBuilder of(long timestampMs, int sequence) {
    PayloadBuilder payload = new PayloadBuilder();
    payload.bytes.writeBytes(
        message(
            out -> {
              if (timestampMs >= 0) {
                out.writeUInt64(1, timestampMs);
              }
              if (sequence >= 0) {
                out.writeUInt64(3, sequence);
              }
            }));
    return payload;
  }

  PayloadBuilder metric(Fields fields) {
    byte[] metric = message(fields);
    bytes.writeBytes(message(out -> out.writeByteArray(2, metric)));
    return this;
  }

  PayloadBuilder bdSeq(long number) {
    return metric(
        out -> {
          out.writeString(1, "bdSeq");
          out.writeUInt32(4, INT64);
          out.writeUInt64(11, number);
        });
  }

  /** A double of a birth. */
  PayloadBuilder born(String name, long alias, double value) {
    return metric(
        out -> {
          out.writeString(1, name);
          out.writeUInt64(2, alias);
          out.writeUInt32(4, DOUBLE);
          out.writeDouble(13, value);
        });
  }

  /** A double of data by its alias. */
  PayloadBuilder aliased(long alias, double value) {
    return metric(
        out -> {
          out.writeUInt64(2, alias);
          out.writeDouble(13, value);
        });
  }

  /** A double of data by its name. */
  PayloadBuilder named(String name, double value) {
    return metric(
        out -> {
          out.writeString(1, name);
          out.writeUInt32(4, DOUBLE);
          out.writeDouble(13, value);
        });
  }

  /** A property of a metric. */
  static byte[] property(String name, int value) {
    return message(
        out -> {
          out.writeString(1, "first");
          out.writeString(1, name);
          out.writeByteArray(2, message(first -> first.writeString(8, "text")));
          out.writeBytes(2, ByteString.copyFrom(message(second -> second.writeUInt32(3, value))));
        });
  }

  byte[] build() {
    return bytes.toByteArray();
  }

  static byte[] text(String text) {
    return text.getBytes(UTF_8);
  }
}
