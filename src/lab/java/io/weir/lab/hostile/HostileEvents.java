package io.weir.lab.hostile;

import com.google.protobuf.ByteString;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Value;

/** A batch of events as a row says. Stateless. */
final class HostileEvents {
  private static final int MOST_BYTES = 8 << 20;
  private static final int LONG_TEXT = 300_000;
  private static final int LONG_VALUE = 200_000;
  private static final int OTHERS = 1_000;

  private HostileEvents() {}

  static byte[] message(HostileRow row, HostileIds ids, long nowMs) {
    EventBatch.Builder batch =
        EventBatch.newBuilder()
            .setGatewayId(HostileRecord.gatewayId(row))
            .setBootId(HostileRecord.bootId(row, nowMs))
            .setSequence(HostileRecord.sequence(row));
    String events = row.level(HostilePart.EVENTS);
    int count = events.equals("none") ? 0 : Integer.parseInt(events.replace(",", ""));
    int bytes = 0;
    for (int i = 0; i < count && bytes < MOST_BYTES; i++) {
      Event event = event(row, ids, nowMs, i);
      bytes += event.getSerializedSize();
      batch.addEvents(event);
    }
    return batch.build().toByteArray();
  }

  private static Event event(HostileRow row, HostileIds ids, long nowMs, int number) {
    Event.Builder event =
        Event.newBuilder()
            .setKey(key(row, ids, number))
            .setSubject(text(row, HostilePart.SUBJECT, number))
            .setType(text(row, HostilePart.TYPE, number))
            .setId(text(row, HostilePart.EVENT_ID, number))
            .setTimestampMs(time(row, HostilePart.EVENT_TIME, nowMs))
            .setDueMs(time(row, HostilePart.DUE, nowMs))
            .setEveryMs(time(row, HostilePart.EVERY, nowMs))
            .setExpiresMs(time(row, HostilePart.EXPIRES, nowMs))
            .setCancel(row.is(HostilePart.CANCEL, "yes"))
            .setStart(row.is(HostilePart.START, "yes"))
            .setMissed(row.is(HostilePart.MISSED, "2^64 - 1") ? -1 : 0);
    addFields(event, row, number);
    addFieldTimes(event, row);
    return event.build();
  }

  private static String key(HostileRow row, HostileIds ids, int number) {
    return switch (row.level(HostilePart.EVENT_KEY)) {
      case "one" -> ids.get(0);
      case "empty" -> "";
      case "256 bytes" -> ids.ofBytes(256);
      case "600 kB" -> ids.ofBytes(600_000);
      case "all different" -> ids.get(number);
      default -> throw HostileRecord.unknown(row, HostilePart.EVENT_KEY);
    };
  }

  private static String text(HostileRow row, HostilePart part, int number) {
    return switch (row.level(part)) {
      case "none" -> "";
      case "one" -> "one";
      case "256 bytes" -> "t".repeat(256);
      case "300 kB" -> "t".repeat(LONG_TEXT);
      case "all different" -> "t" + number;
      default -> throw HostileRecord.unknown(row, part);
    };
  }

  private static long time(HostileRow row, HostilePart part, long nowMs) {
    return switch (row.level(part)) {
      case "none", "0" -> 0;
      case "now" -> nowMs;
      case "in 100 ms" -> nowMs + 100;
      case "1 ms", "long ago" -> 1;
      case "-1" -> -1;
      case "2^63 - 1" -> Long.MAX_VALUE;
      default -> throw HostileRecord.unknown(row, part);
    };
  }

  private static void addFields(Event.Builder event, HostileRow row, int number) {
    int count =
        switch (row.level(HostilePart.FIELDS)) {
          case "none" -> 0;
          case "1" -> 1;
          case "1,000", "1,000 others" -> OTHERS;
          default -> throw HostileRecord.unknown(row, HostilePart.FIELDS);
        };
    if (count == 0
        && !(row.is(HostilePart.FIELD_NAME, "f") && row.is(HostilePart.FIELD_VALUE, "double"))) {
      count = 1;
    }
    String name =
        switch (row.level(HostilePart.FIELD_NAME)) {
          case "f" -> "f";
          case "empty" -> "";
          case "200 kB" -> "f".repeat(LONG_VALUE);
          default -> throw HostileRecord.unknown(row, HostilePart.FIELD_NAME);
        };
    Value value = value(row);
    int first = row.is(HostilePart.FIELDS, "1,000 others") ? number * count : 0;
    int bytes = 0;
    for (int i = first; i < first + count && bytes < MOST_BYTES / 2; i++) {
      event.putFields(i == 0 ? name : name + i, value);
      bytes += name.length() + value.getSerializedSize();
    }
  }

  private static void addFieldTimes(Event.Builder event, HostileRow row) {
    switch (row.level(HostilePart.FIELD_TIMES)) {
      case "none" -> {}
      case "1 ms" -> event.putFieldTimestampsMs("f", 1);
      case "0" -> event.putFieldTimestampsMs("f", 0);
      case "2^63 - 1" -> event.putFieldTimestampsMs("f", Long.MAX_VALUE);
      case "1,001 others" -> {
        for (int i = 0; i < 1_001; i++) {
          event.putFieldTimestampsMs("t" + i, 1);
        }
      }
      default -> throw HostileRecord.unknown(row, HostilePart.FIELD_TIMES);
    }
  }

  private static Value value(HostileRow row) {
    Value.Builder value = Value.newBuilder();
    return switch (row.level(HostilePart.FIELD_VALUE)) {
      case "double" -> value.setDoubleValue(1).build();
      case "NaN" -> value.setDoubleValue(Double.NaN).build();
      case "int64" -> value.setInt64Value(Long.MIN_VALUE).build();
      case "bool" -> value.setBoolValue(true).build();
      case "null" -> value.setNullValue(true).build();
      case "none" -> value.build();
      case "text of 200 kB" -> value.setStringValue("v".repeat(LONG_VALUE)).build();
      case "bytes of 200 kB" ->
          value.setBytesValue(ByteString.copyFrom(new byte[LONG_VALUE])).build();
      default -> throw HostileRecord.unknown(row, HostilePart.FIELD_VALUE);
    };
  }
}
