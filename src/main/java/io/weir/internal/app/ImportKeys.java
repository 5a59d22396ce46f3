package io.weir.internal.app;

import static io.weir.internal.app.ValueType.choice;
import static io.weir.internal.app.ValueType.duration;
import static io.weir.internal.app.ValueType.integer;
import static io.weir.internal.app.ValueType.shortName;
import static io.weir.internal.app.ValueType.text;

import java.time.Duration;
import java.util.List;

/** The settings of an import: a part of the catalogue {@link Keys}. */
public final class ImportKeys {
  public static final List<String> FORMATS =
      List.of("json", "line", "csv", "number", "avro", "protobuf", "auto");

  private static final Key.Group KEYS = new Key.Group();

  public static final Key<String> NAME =
      KEYS.unset(
          "import.name",
          shortName(),
          "name of the import: its consumer group is weir-import-NAME, with weir.plant and a dot"
              + " before it, and its progress is stored under it");
  public static final Key<String> INSTANCE =
      KEYS.of(
          "import.instance",
          shortName(),
          "0",
          "name of this process among those of the import; keep it across restarts");
  public static final Key<String> FROM =
      KEYS.of(
          "import.from",
          text(40),
          "earliest",
          "where to start in partitions that the import has not read: earliest, latest or a time such as"
              + " 2026-11-21T12:00:00Z");
  public static final Key<String> FORMAT =
      KEYS.unset(
          "import.format",
          choice(FORMATS.toArray(String[]::new)),
          "format of the records: "
              + String.join(", ", FORMATS)
              + " (json, line, csv or number, by the first byte of each record); default: that of"
              + " the mapping file, otherwise json");
  public static final Key<Duration> COMMIT_INTERVAL =
      KEYS.of(
          "import.commit.interval",
          duration("10ms", "10s"),
          "100ms",
          "minimum time between two transactions");
  public static final Key<Integer> MAX_READINGS =
      KEYS.of(
          "import.max.readings",
          integer(1, 1_000_000),
          "100000",
          "maximum number of readings in one record; a record with more becomes a dead letter");
  public static final Key<Duration> MAX_IDLE =
      KEYS.of(
          "import.max.idle",
          duration("0s", "1m"),
          "5s",
          "maximum wait for the next records of another partition, to keep the order of timestamps");

  public static final List<Key<?>> ALL = KEYS.all();

  private ImportKeys() {}
}
