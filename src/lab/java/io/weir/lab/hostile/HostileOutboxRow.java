package io.weir.lab.hostile;

/**
 * What a row of the table inserts into the outbox: expressions of SQL.
 *
 * @param columns of {@code weir_outbox}
 * @param select that gives them
 */
public record HostileOutboxRow(String columns, String select) {
  /**
   * Of those that take a server seconds to make: while a transaction makes one, and has inserted,
   * no row behind it is read.
   */
  public static final String PREPARE =
      """
      create table hostile_values as
        select repeat('h', 1000000) as text, jsonb_build_object('f', 1e131071::numeric) as number,
               jsonb_build_object('f', jsonb_agg(1e131071::numeric)) as numbers
          from generate_series(1, 8300)""";

  private static final String COLUMNS =
      "priority, sensor_id, timestamp_ms, value, quality, key, expires_at, event";

  /** Makes it, for a row of the outbox. */
  public static HostileOutboxRow of(HostileRow row, long nowMs) {
    return new HostileOutboxRow(
        COLUMNS,
        "select %s, %s, %s, %s, %s, %s, %s, %s from generate_series(1, %s)"
            .formatted(
                row.level(HostilePart.ROW_PRIORITY),
                text(row, HostilePart.ROW_SENSOR_ID),
                timestamp(row, nowMs),
                number(row, HostilePart.ROW_VALUE),
                row.level(HostilePart.ROW_QUALITY),
                text(row, HostilePart.ROW_KEY),
                expires(row),
                event(row),
                // Each a megabyte in the server: a thousand of them are the server's harm.
                row.is(HostilePart.ROW_EVENT, "null", "one field", "no object", "1e131071")
                    ? row.level(HostilePart.ROWS).replace(",", "")
                    : "3"));
  }

  private static String text(HostileRow row, HostilePart part) {
    return switch (row.level(part)) {
      case "null" -> "null";
      case "one" -> "'hostile/outbox'";
      case "empty" -> "''";
      case "257 bytes" -> "repeat('h', 257)";
      case "1 MB" -> "(select text from hostile_values)";
      default -> throw HostileRecord.unknown(row, part);
    };
  }

  private static String timestamp(HostileRow row, long nowMs) {
    return switch (row.level(HostilePart.ROW_TIMESTAMP)) {
      case "now" -> Long.toString(nowMs);
      case "null" -> "null";
      case "-2^63" -> "-9223372036854775808";
      case "2^63 - 1" -> "9223372036854775807";
      default -> throw HostileRecord.unknown(row, HostilePart.ROW_TIMESTAMP);
    };
  }

  private static String expires(HostileRow row) {
    return switch (row.level(HostilePart.ROW_EXPIRES)) {
      case "null" -> "null";
      case "-infinity" -> "timestamptz '-infinity'";
      case "infinity" -> "timestamptz 'infinity'";
      case "4713 BC" -> "timestamptz '4713-01-01 00:00:00+00 BC'";
      case "294276" -> "timestamptz '294276-12-31 00:00:00+00'";
      default -> throw HostileRecord.unknown(row, HostilePart.ROW_EXPIRES);
    };
  }

  private static String number(HostileRow row, HostilePart part) {
    String level = row.level(part);
    return level.equals("null") ? level : "'" + level + "'::float8";
  }

  private static String event(HostileRow row) {
    String fields = "jsonb_build_object('subject', 's', 'type', 't', 'fields', %s)";
    return switch (row.level(HostilePart.ROW_EVENT)) {
      case "null" -> "null::jsonb";
      case "one field" -> fields.formatted("'{\"f\": 1}'::jsonb");
      case "no object" -> "'[1]'::jsonb";
      case "1 MB of text" -> fields.formatted("jsonb_build_object('f', repeat('x', 1000000))");
      case "8,300 numbers of 131,072 digits" ->
          fields.formatted("(select numbers from hostile_values)");
      case "nested 5,000 deep" ->
          fields.formatted("(repeat('[', 5000) || repeat(']', 5000))::jsonb");
      case "20,000 fields" ->
          fields.formatted(
              "(select jsonb_object_agg('f' || i, i) from generate_series(1, 20000) as g(i))");
      case "1e131071" -> fields.formatted("(select number from hostile_values)");
      default -> throw HostileRecord.unknown(row, HostilePart.ROW_EVENT);
    };
  }
}
