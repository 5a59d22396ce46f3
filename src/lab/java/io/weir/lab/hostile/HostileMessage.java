package io.weir.lab.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;

/**
 * A message of MQTT, as a broker passes it on.
 *
 * @param packetId 0 for the next one
 * @param properties of version 5, with their length
 */
public record HostileMessage(
    int qos, boolean retained, int packetId, byte[] topic, byte[] properties, byte[] payload) {
  private static final byte[] NO_PROPERTIES = {0};
  private static final int MOST_PROPERTY_BYTES = 4 << 20;

  /** An honest one. */
  public static HostileMessage of(String topic, byte[] payload) {
    return new HostileMessage(1, false, 0, topic.getBytes(UTF_8), NO_PROPERTIES, payload);
  }

  /** What a row of the table is. */
  public static HostileMessage of(HostileRow row, long nowMs) {
    boolean sparkplug = row.target() == HostileRow.Target.SPARKPLUG;
    return new HostileMessage(
        Integer.parseInt(row.level(HostilePart.MESSAGE_QOS)),
        row.is(HostilePart.RETAINED, "yes"),
        row.is(HostilePart.PACKET_ID, "65,535") ? 65_535 : 0,
        sparkplug ? HostileSparkplug.topic(row).getBytes(UTF_8) : topic(row, nowMs),
        properties(row),
        sparkplug ? HostileSparkplug.payload(row, nowMs) : payload(row, nowMs));
  }

  private static byte[] topic(HostileRow row, long nowMs) {
    String topic =
        switch (row.level(HostilePart.TOPIC)) {
          case "one" -> "hostile/a";
          case "empty" -> "";
          case "1,025 characters" -> "hostile/" + "t".repeat(1_017);
          case "65,535 bytes" -> "hostile/" + "t".repeat(65_527);
          case "1,000 levels" -> "hostile" + "/".repeat(1_000);
          case "wildcards" -> "hostile/+/#";
          case "of the broker" -> "$SYS/broker/uptime";
          case "null character" -> "hostile/\0";
          case "no UTF-8" -> "";
          case "all different" -> "hostile/" + new Random().nextLong() + "/" + nowMs;
          default -> throw HostileRecord.unknown(row, HostilePart.TOPIC);
        };
    return row.is(HostilePart.TOPIC, "no UTF-8")
        ? "hostile/\u00ff\u00c0".getBytes(ISO_8859_1)
        : topic.getBytes(UTF_8);
  }

  private static byte[] payload(HostileRow row, long nowMs) {
    String text =
        switch (row.level(HostilePart.PAYLOAD)) {
          case "number" -> "1";
          case "none", "random" -> "";
          case "8 MB of digits" -> "1".repeat(8 << 20);
          case "JSON" -> "{\"timestamp_ms\":" + nowMs + ",\"a\":1}";
          case "250,001 values" -> "{\"a\":[1" + ",1".repeat(250_000) + "]}";
          case "100,000 deep" -> "{\"a\":" + "[".repeat(100_000);
          case "empty objects" -> "[{}" + ",{}".repeat(1_000_000) + "]";
          case "names of 1 MB" -> "{\"" + "n".repeat(1 << 20) + "\":1}";
          case "CSV" -> "sensor_id,timestamp_ms,value\n" + ("s," + nowMs + ",1\n").repeat(1_000);
          case "20,000 lines" -> "m,t=v f=1 1\n".repeat(20_000);
          case "a line of 20,000 fields" -> "m f=1" + ",f=1".repeat(20_000);
          default -> throw HostileRecord.unknown(row, HostilePart.PAYLOAD);
        };
    if (!row.is(HostilePart.PAYLOAD, "random")) {
      return text.getBytes(UTF_8);
    }
    byte[] random = new byte[100_000];
    new Random(nowMs).nextBytes(random);
    return random;
  }

  private static byte[] properties(HostileRow row) {
    byte[] name =
        switch (row.level(HostilePart.USER_PROPERTY_BYTES)) {
          case "short" -> new byte[] {'p'};
          case "empty" -> new byte[0];
          case "60 kB" -> filled(60_000);
          default -> throw HostileRecord.unknown(row, HostilePart.USER_PROPERTY_BYTES);
        };
    int count =
        switch (row.level(HostilePart.USER_PROPERTIES)) {
          case "none" -> row.is(HostilePart.USER_PROPERTY_BYTES, "short") ? 0 : 1;
          case "1" -> 1;
          case "10,000" -> 10_000;
          default -> throw HostileRecord.unknown(row, HostilePart.USER_PROPERTIES);
        };
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < count && out.size() < MOST_PROPERTY_BYTES; i++) {
      out.write(0x26);
      addText(out, name);
      addText(out, name);
    }
    switch (row.level(HostilePart.PROPERTY)) {
      case "none" -> {}
      case "unknown" -> out.write(0x7f);
      case "answer with a wildcard" -> {
        out.write(8);
        addText(out, "a/#".getBytes(UTF_8));
      }
      case "two content types" -> {
        for (int i = 0; i < 2; i++) {
          out.write(3);
          addText(out, filled(100));
        }
      }
      case "cut off" -> out.writeBytes(new byte[] {0x26, 0, 100});
      default -> throw HostileRecord.unknown(row, HostilePart.PROPERTY);
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    int rest = out.size();
    for (; rest >= 0x80; rest >>= 7) {
      whole.write(rest & 0x7f | 0x80);
    }
    whole.write(rest);
    whole.writeBytes(out.toByteArray());
    return whole.toByteArray();
  }

  private static byte[] filled(int length) {
    byte[] text = new byte[length];
    Arrays.fill(text, (byte) 'p');
    return text;
  }

  private static void addText(ByteArrayOutputStream out, byte[] text) {
    out.write(text.length >> 8);
    out.write(text.length);
    out.writeBytes(text);
  }
}
