package io.weir.lab.hostile;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import io.weir.lab.hostile.HostileRow.Target;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.internal.CompressionType;

/**
 * What a row is on a topic: so many of the same record, in one batch of a codec.
 *
 * @param scheduled whether it is for the topic of scheduled events
 * @param key may be null
 * @param value may be null
 * @param records in the batch
 */
public record HostileRecord(
    boolean scheduled,
    byte[] key,
    Headers headers,
    byte[] value,
    int records,
    Compression compression) {
  /** Of one part of a record, where two multiply. */
  private static final int MOST_BYTES = 8 << 20;

  /** Of a batch that is not compressed: more is refused by the broker, and proves nothing. */
  private static final int MOST_BYTES_ON_THE_WIRE = 900_000;

  /** Of a batch when decompressed. */
  private static final long MOST_BYTES_OF_A_BATCH = 64L << 20;

  private static final int BYTES_OF_A_RECORD = 16;
  private static final int GATEWAY_FIELD = 1;
  private static final int UNKNOWN_FIELD = 99;

  /**
   * Makes it.
   *
   * @param row of readings or events
   * @param partition that ids are of
   * @param nowMs milliseconds since the Unix epoch
   */
  public static HostileRecord of(HostileRow row, int partition, long nowMs) {
    HostileIds ids = new HostileIds(partition);
    byte[] message =
        row.target() == Target.READINGS
            ? HostileReadings.message(row, ids, nowMs)
            : HostileEvents.message(row, ids, nowMs);
    byte[] key = key(row);
    Headers headers = headers(row);
    byte[] value = value(row, message);
    Compression compression = compression(row);
    if (compression.type() == CompressionType.NONE) {
      value = value == null || value.length < MOST_BYTES_ON_THE_WIRE ? value : cut(value);
      key = key == null || size(null, headers, value) + key.length < 1 << 20 ? key : new byte[20];
      headers = size(key, headers, value) < 1 << 20 ? headers : new RecordHeaders();
    }
    long most = compression.type() == CompressionType.NONE ? 1 << 20 : MOST_BYTES_OF_A_BATCH;
    int records = Integer.parseInt(row.level(HostilePart.RECORDS).replace(",", ""));
    return new HostileRecord(
        row.is(HostilePart.PLACE, "scheduled"),
        key,
        headers,
        value,
        (int) Math.max(1, Math.min(records, most / size(key, headers, value))),
        compression);
  }

  private static byte[] cut(byte[] value) {
    return Arrays.copyOf(value, MOST_BYTES_ON_THE_WIRE);
  }

  private static long size(byte[] key, Headers headers, byte[] value) {
    long bytes = BYTES_OF_A_RECORD + length(key) + length(value);
    for (Header header : headers) {
      bytes += 2 + header.key().length() + length(header.value());
    }
    return bytes;
  }

  private static int length(byte[] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  private static Compression compression(HostileRow row) {
    return Compression.of(CompressionType.forName(row.level(HostilePart.CODEC))).build();
  }

  private static byte[] key(HostileRow row) {
    return switch (row.level(HostilePart.KEY)) {
      case "none" -> null;
      case "20 bytes" -> new byte[20];
      case "900 kB" -> new byte[900_000];
      case "2 MB" -> new byte[2_000_000];
      default -> throw unknown(row, HostilePart.KEY);
    };
  }

  private static Headers headers(HostileRow row) {
    String name =
        switch (row.level(HostilePart.HEADER_NAME)) {
          case "h" -> "h";
          case "empty" -> "";
          case "500 kB" -> "h".repeat(500_000);
          case "ours" -> "weir.redrive.topic";
          default -> throw unknown(row, HostilePart.HEADER_NAME);
        };
    byte[] value =
        switch (row.level(HostilePart.HEADER_VALUE)) {
          case "null" -> null;
          case "empty" -> new byte[0];
          case "500 kB" -> new byte[500_000];
          default -> throw unknown(row, HostilePart.HEADER_VALUE);
        };
    int count = Integer.parseInt(row.level(HostilePart.HEADER_COUNT).replace(",", ""));
    if (count == 0 && (value != null || !name.equals("h"))) {
      count = 1;
    }
    Headers headers = new RecordHeaders();
    for (long bytes = 0; count > 0 && bytes < MOST_BYTES; count--) {
      headers.add(name, value);
      bytes += name.length() + length(value);
    }
    addSignature(row, headers);
    addFrame(row, headers);
    return headers;
  }

  private static void addSignature(HostileRow row, Headers headers) {
    String wrong = "v1,2026.1," + Base64.getEncoder().encodeToString(new byte[32]) + " ";
    String text =
        switch (row.level(HostilePart.SIGNATURE)) {
          case "none" -> "";
          case "500 kB" -> "v".repeat(500_000);
          case "1,000 of no key" -> wrong.repeat(1000);
          case "4 wrong" -> wrong.repeat(4);
          default -> throw unknown(row, HostilePart.SIGNATURE);
        };
    if (!text.isEmpty()) {
      headers.add("weir.signature", text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void addFrame(HostileRow row, Headers headers) {
    switch (row.level(HostilePart.FRAME)) {
      case "id beside" -> headers.add("__value_schema_id", frame(77, 0));
      case "500 kB beside" -> headers.add("__value_schema_id", new byte[500_000]);
      default -> {}
    }
  }

  private static byte[] value(HostileRow row, byte[] message) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    switch (row.level(HostilePart.FRAME)) {
      case "none", "id beside", "500 kB beside" -> {}
      case "unknown id" -> bytes.writeBytes(frame(77, 0));
      case "refused id" -> bytes.writeBytes(frame(403, 0));
      case "no indexes end" -> bytes.writeBytes(frame(-1, 0xff));
      default -> throw unknown(row, HostilePart.FRAME);
    }
    bytes.writeBytes(message);
    bytes.writeBytes(around(row).toByteArray());
    byte[] all = bytes.toByteArray();
    return switch (row.level(HostilePart.VALUE_BYTES)) {
      case "as they are" -> all;
      case "null" -> null;
      case "empty" -> new byte[0];
      case "cut off" -> Arrays.copyOf(all, Math.max(0, all.length - 1));
      case "2 MB of zeros" -> new byte[2_000_000];
      default -> throw unknown(row, HostilePart.VALUE_BYTES);
    };
  }

  private static byte[] frame(int id, int index) {
    return ByteBuffer.allocate(6).put((byte) 0).putInt(id).put((byte) index).array();
  }

  /** Fields that come after the message's: unknown ones, and the gateway once more. */
  private static UnknownFieldSet around(HostileRow row) {
    UnknownFieldSet.Builder fields = UnknownFieldSet.newBuilder();
    Field.Builder unknown = Field.newBuilder();
    switch (row.level(HostilePart.UNKNOWN_FIELDS)) {
      case "none" -> {}
      case "200 kB" -> unknown.addLengthDelimited(ByteString.copyFrom(new byte[200_000]));
      case "50,000" -> {
        for (int i = 0; i < 50_000; i++) {
          unknown.addVarint(i);
        }
      }
      default -> throw unknown(row, HostilePart.UNKNOWN_FIELDS);
    }
    fields.addField(UNKNOWN_FIELD, unknown.build());
    if (row.is(HostilePart.GATEWAY_ID, "twice")) {
      ByteString other = ByteString.copyFromUtf8("other");
      fields.addField(GATEWAY_FIELD, Field.newBuilder().addLengthDelimited(other).build());
    }
    return fields.build();
  }

  static String gatewayId(HostileRow row) {
    return switch (row.level(HostilePart.GATEWAY_ID)) {
      case "hostile", "twice" -> "hostile";
      case "empty" -> "";
      case "256 bytes" -> "g".repeat(256);
      case "900 kB" -> "g".repeat(900_000);
      default -> throw unknown(row, HostilePart.GATEWAY_ID);
    };
  }

  static long bootId(HostileRow row, long nowMs) {
    return switch (row.level(HostilePart.BOOT_ID)) {
      case "none" -> 0;
      case "now" -> nowMs << 20;
      case "in an hour" -> nowMs + 3_600_000 << 20;
      case "-1" -> -1;
      default -> throw unknown(row, HostilePart.BOOT_ID);
    };
  }

  static long sequence(HostileRow row) {
    return switch (row.level(HostilePart.SEQUENCE)) {
      case "none" -> 0;
      case "1" -> 1;
      case "2^20" -> 1 << 20;
      case "-1" -> -1;
      default -> throw unknown(row, HostilePart.SEQUENCE);
    };
  }

  static IllegalStateException unknown(HostileRow row, HostilePart part) {
    return new IllegalStateException("nothing is made of " + part + " " + row.level(part));
  }
}
