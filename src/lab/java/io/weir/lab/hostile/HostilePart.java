package io.weir.lab.hostile;

import io.weir.lab.hostile.HostileRow.Target;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A part of what somebody else writes, with what it may be: the first is the usual, the others are
 * its limits. Each field of a message that others write, and each column of the outbox that they
 * may insert, belongs to one of them.
 */
public enum HostilePart {
  CODEC(records("none", "gzip", "snappy", "lz4", "zstd")),
  RECORDS(records("1", "200", "20,000")),
  KEY(records("none", "20 bytes", "900 kB", "2 MB")),
  HEADER_COUNT(records("0", "8", "200,000")),
  HEADER_NAME(records("h", "empty", "500 kB", "ours")),
  HEADER_VALUE(records("null", "empty", "500 kB")),
  FRAME(
      records("none", "unknown id", "refused id", "no indexes end", "id beside", "500 kB beside")),
  SIGNATURE(records("none", "500 kB", "1,000 of no key", "4 wrong")),
  VALUE_BYTES(records("as they are", "null", "empty", "cut off", "2 MB of zeros")),
  GATEWAY_ID(
      records("hostile", "empty", "256 bytes", "900 kB", "twice"),
      "ReadingBatch.gateway_id",
      "EventBatch.gateway_id"),
  BOOT_ID(records("none", "now", "in an hour", "-1"), "ReadingBatch.boot_id", "EventBatch.boot_id"),
  SEQUENCE(records("none", "1", "2^20", "-1"), "ReadingBatch.sequence", "EventBatch.sequence"),
  UNKNOWN_FIELDS(records("none", "200 kB", "50,000")),

  READINGS(readings("1", "none", "1,000", "10,000", "20,000"), "ReadingBatch.readings"),
  SENSOR_ID(
      readings("one", "empty", "256 bytes", "600 kB", "all different", "no UTF-8"),
      "Reading.sensor_id",
      "Series.sensor_id",
      "Completeness.sensor_id"),
  TIMESTAMP(
      readings("now", "0", "-1", "2^63 - 1", "a day apart"),
      "Reading.timestamp_ms",
      "Completeness.through_ms"),
  VALUE(readings("1", "NaN", "largest and infinite"), "Reading.value", "Series.value"),
  QUALITY(readings("none", "bad", "77"), "Reading.quality", "Series.quality"),
  SERIES(readings("none", "3", "9,000", "20,000 empty", "of two lengths"), "ReadingBatch.series"),
  SERIES_TIMES(
      readings("steps", "far back", "overflow"),
      "Series.start_timestamp_ms",
      "Series.timestamp_delta_ms"),
  COMPLETE(readings("none", "1", "10,000"), "ReadingBatch.complete"),
  ORDERED(readings("no", "yes"), "ReadingBatch.ordered"),

  PLACE(events("events", "scheduled")),
  EVENTS(events("1", "none", "1,000", "10,000", "20,000"), "EventBatch.events"),
  EVENT_KEY(events("one", "empty", "256 bytes", "600 kB", "all different"), "Event.key"),
  SUBJECT(events("none", "256 bytes", "300 kB", "all different"), "Event.subject"),
  TYPE(events("none", "300 kB"), "Event.type"),
  EVENT_TIME(events("now", "0", "-1", "2^63 - 1"), "Event.timestamp_ms"),
  FIELDS(events("none", "1", "1,000", "1,000 others"), "Event.fields"),
  FIELD_NAME(events("f", "empty", "200 kB"), "FieldsEntry.key"),
  FIELD_VALUE(
      events("double", "NaN", "int64", "bool", "null", "none", "text of 200 kB", "bytes of 200 kB"),
      "FieldsEntry.value",
      "Value.double_value",
      "Value.int64_value",
      "Value.bool_value",
      "Value.string_value",
      "Value.bytes_value",
      "Value.null_value"),
  FIELD_TIMES(
      events("none", "1 ms", "0", "2^63 - 1", "1,001 others"),
      "Event.field_timestamps_ms",
      "FieldTimestampsMsEntry.key",
      "FieldTimestampsMsEntry.value"),
  EVENT_ID(events("none", "one", "256 bytes", "300 kB", "all different"), "Event.id"),
  DUE(events("none", "in 100 ms", "long ago", "2^63 - 1"), "Event.due_ms"),
  EVERY(events("none", "1 ms", "2^63 - 1", "-1"), "Event.every_ms"),
  EXPIRES(events("none", "long ago", "in 100 ms", "2^63 - 1", "-1"), "Event.expires_ms"),
  CANCEL(events("no", "yes"), "Event.cancel"),
  START(events("no", "yes"), "Event.start"),
  MISSED(events("0", "2^64 - 1"), "Event.missed"),

  ROWS(outbox("1", "1,000"), "weir_outbox.id"),
  ROW_PRIORITY(outbox("1", "0", "2"), "weir_outbox.priority"),
  ROW_SENSOR_ID(outbox("one", "null", "empty", "257 bytes", "1 MB"), "weir_outbox.sensor_id"),
  ROW_TIMESTAMP(outbox("now", "null", "-2^63", "2^63 - 1"), "weir_outbox.timestamp_ms"),
  ROW_VALUE(outbox("1", "null", "NaN", "Infinity"), "weir_outbox.value"),
  ROW_QUALITY(outbox("null", "32767"), "weir_outbox.quality"),
  ROW_KEY(outbox("null", "one", "257 bytes", "1 MB"), "weir_outbox.key"),
  ROW_EXPIRES(
      outbox("null", "-infinity", "infinity", "4713 BC", "294276"), "weir_outbox.expires_at"),
  ROW_EVENT(
      outbox(
          "null",
          "one field",
          "no object",
          "1 MB of text",
          "8,300 numbers of 131,072 digits",
          "nested 5,000 deep",
          "20,000 fields",
          "1e131071"),
      "weir_outbox.event"),

  REQUEST_METHOD(requests("POST", "GET", "of 100 kB")),
  REQUEST_PATH(requests("its own", "unknown", "of 8 kB", "of 1 MB")),
  REQUEST_QUERY(requests("none", "of 8 kB", "10,000 parameters", "of 1 MB")),
  REQUEST_HEADERS(requests("few", "1,000", "100,000")),
  REQUEST_HEADER_VALUE(requests("short", "64 kB", "4 MB")),
  REQUEST_ENCODING(
      requests("usual", "gzip", "gzip of zeros", "snappy of zeros", "cut off", "unknown")),
  REQUEST_LENGTH(
      requests(
          "right",
          "none",
          "too small",
          "too large",
          "2^63",
          "-1",
          "chunks of 1 byte",
          "chunk of 2^63")),
  REQUEST_INPUT(requests("lines", "remote write", "remote write 2", "OTLP", "OTLP in JSON")),
  POINTS(requests("1", "none", "50,000")),
  POINT_NAME(requests("one", "empty", "200 kB", "all different")),
  LABELS(requests("1", "none", "1,000", "50,000")),
  LABEL_NAME(requests("l", "empty", "200 kB", "no UTF-8")),
  LABEL_VALUE(requests("1", "empty", "200 kB", "all different")),
  SAMPLES(requests("1", "1,000")),
  SAMPLE_VALUE(requests("1", "NaN", "infinite")),
  SAMPLE_TIME(requests("now", "none", "0", "-2^63", "2^63 - 1", "a day apart")),
  NESTING(requests("none", "5,000 deep")),
  EMPTY_PARTS(requests("none", "500,000")),

  MESSAGE_QOS(messages("1", "0", "2")),
  RETAINED(messages("no", "yes")),
  PACKET_ID(messages("next", "65,535")),
  USER_PROPERTIES(messages("none", "1", "10,000")),
  USER_PROPERTY_BYTES(messages("short", "empty", "60 kB")),
  PROPERTY(messages("none", "unknown", "answer with a wildcard", "two content types", "cut off")),
  TOPIC(
      mqtt(
          "one",
          "empty",
          "1,025 characters",
          "65,535 bytes",
          "1,000 levels",
          "wildcards",
          "of the broker",
          "null character",
          "no UTF-8",
          "all different")),
  PAYLOAD(
      mqtt(
          "number",
          "none",
          "random",
          "8 MB of digits",
          "JSON",
          "250,001 values",
          "100,000 deep",
          "empty objects",
          "names of 1 MB",
          "CSV",
          "20,000 lines",
          "a line of 20,000 fields")),

  NODE(sparkplug("one", "empty", "1,000 characters", "all different")),
  NODE_MESSAGE(
      sparkplug("NBIRTH", "NDATA", "DBIRTH", "DDATA", "NDEATH", "DDEATH", "NCMD", "unknown")),
  NODE_SEQUENCE(sparkplug("0", "none", "200", "2^64 - 1"), "sparkplug.Payload.seq"),
  PAYLOAD_MORE(
      sparkplug("none", "200 kB", "unknown"), "sparkplug.Payload.uuid", "sparkplug.Payload.body"),
  METRICS(sparkplug("1", "none", "10,000", "500,000 empty"), "sparkplug.Payload.metrics"),
  METRIC_NAME(
      sparkplug("one", "none", "empty", "200 kB", "all different", "no UTF-8"),
      "sparkplug.Metric.name"),
  ALIAS(sparkplug("none", "one", "all different", "2^64 - 1"), "sparkplug.Metric.alias"),
  METRIC_TIME(
      sparkplug("now", "none", "0", "2^64 - 1"),
      "sparkplug.Payload.timestamp",
      "sparkplug.Metric.timestamp"),
  DATATYPE(sparkplug("double", "none", "2^32 - 1"), "sparkplug.Metric.datatype"),
  METRIC_FLAGS(
      sparkplug("none", "both"), "sparkplug.Metric.is_historical", "sparkplug.Metric.is_transient"),
  METADATA(sparkplug("none", "200 kB"), "sparkplug.Metric.metadata", "sparkplug.MetaData.*"),
  METRIC_PROPERTIES(
      sparkplug("none", "quality", "1,000", "5,000 deep"),
      "sparkplug.Metric.properties",
      "sparkplug.PropertySet.*",
      "sparkplug.PropertyValue.*",
      "sparkplug.PropertySetList.*"),
  METRIC_VALUE(
      sparkplug(
          "double",
          "null",
          "NaN",
          "all",
          "text of 200 kB",
          "bytes of 200 kB",
          "data set",
          "templates 5,000 deep",
          "extension"),
      "sparkplug.Metric.is_null",
      "sparkplug.Metric.int_value",
      "sparkplug.Metric.long_value",
      "sparkplug.Metric.float_value",
      "sparkplug.Metric.double_value",
      "sparkplug.Metric.boolean_value",
      "sparkplug.Metric.string_value",
      "sparkplug.Metric.bytes_value",
      "sparkplug.Metric.dataset_value",
      "sparkplug.DataSet.*",
      "sparkplug.Metric.template_value",
      "sparkplug.Template.*",
      "sparkplug.Metric.extension_value"),

  OUTPUT(
      outputs(
          "windows",
          "rollups",
          "hopping",
          "latest",
          "latest.rollups",
          "latest.hopping",
          "status",
          "late",
          "dead-letters",
          "control",
          "folded",
          "groups",
          "group-parts",
          "redriven")),
  OUTPUT_KEY(outputs("its own", "none", "no UTF-8", "200 kB")),
  OUTPUT_HEADERS(outputs("its own", "none", "null", "7", "18 digits", "16 digits of f", "5 kB")),
  OUTPUT_VALUE(outputs("as it is", "null", "empty", "cut off", "120,000 empty fields")),
  OUTPUT_TEXT(outputs("short", "empty", "null character", "200 kB", "all different")),
  OUTPUT_BYTES(outputs("16", "none", "200 kB")),
  OUTPUT_NUMBER(outputs("plausible", "0", "-1", "2^63 - 1", "-2^63", "-2^63 to 2^63 - 1")),
  OUTPUT_REAL(outputs("1", "NaN", "infinite", "largest", "-0")),
  OUTPUT_STATE(outputs("1", "0", "99")),
  OUTPUT_TIMES(outputs("1", "none", "5,000")),
  OUTPUT_CHOICE(outputs("first", "second", "third", "fourth", "fifth", "sixth"));

  /** What a part may be, and where it is a part. */
  private record Levels(Set<Target> targets, List<String> names) {}

  private final Levels levels;
  private final List<String> covers;

  HostilePart(Levels levels, String... covers) {
    this.levels = levels;
    this.covers = List.of(covers);
  }

  private static Levels records(String... names) {
    return new Levels(EnumSet.of(Target.READINGS, Target.EVENTS), List.of(names));
  }

  private static Levels readings(String... names) {
    return new Levels(EnumSet.of(Target.READINGS), List.of(names));
  }

  private static Levels events(String... names) {
    return new Levels(EnumSet.of(Target.EVENTS), List.of(names));
  }

  private static Levels outbox(String... names) {
    return new Levels(EnumSet.of(Target.OUTBOX), List.of(names));
  }

  private static Levels requests(String... names) {
    return new Levels(EnumSet.of(Target.HTTP), List.of(names));
  }

  private static Levels messages(String... names) {
    return new Levels(EnumSet.of(Target.MQTT, Target.SPARKPLUG), List.of(names));
  }

  private static Levels mqtt(String... names) {
    return new Levels(EnumSet.of(Target.MQTT), List.of(names));
  }

  private static Levels outputs(String... names) {
    return new Levels(EnumSet.of(Target.OUTPUT), List.of(names));
  }

  private static Levels sparkplug(String... names) {
    return new Levels(EnumSet.of(Target.SPARKPLUG), List.of(names));
  }

  /** The parts of what is sent there, in the order of rows. */
  public static List<HostilePart> of(Target target) {
    return Stream.of(values()).filter(part -> part.levels.targets().contains(target)).toList();
  }

  /** What it may be, the usual first. */
  public List<String> levels() {
    return levels.names();
  }

  /**
   * Fields, as {@code Message.field}, and columns, as {@code table.column}, that it is; an asterisk
   * is all fields that are stepped over as one.
   */
  public List<String> covers() {
    return covers;
  }

  /**
   * Whether it is around a message or a body and not in it: most of its limits are refused before
   * what is in it is looked at.
   */
  boolean isAround() {
    return compareTo(UNKNOWN_FIELDS) <= 0
        || compareTo(REQUEST_METHOD) >= 0 && compareTo(REQUEST_LENGTH) <= 0
        || compareTo(MESSAGE_QOS) >= 0 && compareTo(TOPIC) <= 0
        || compareTo(OUTPUT_KEY) >= 0 && compareTo(OUTPUT_VALUE) <= 0;
  }
}
