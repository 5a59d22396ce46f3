package io.weir.internal.app;

import static io.weir.internal.app.ValueType.choices;
import static io.weir.internal.app.ValueType.duration;
import static io.weir.internal.app.ValueType.integer;
import static io.weir.internal.app.ValueType.jdbcUrl;
import static io.weir.internal.app.ValueType.text;

import java.time.Duration;
import java.util.List;

/** The settings of the sink: a part of the catalogue {@link Keys}. */
public final class SinkKeys {
  private static final Key.Group KEYS = new Key.Group();

  public static final Key<String> JDBC_URL =
      KEYS.unset(
          "sink.jdbc.url",
          jdbcUrl(),
          "JDBC URL of the database, such as jdbc:postgresql://localhost:5432/weir; driver"
              + " parameters may follow, ?sslmode=verify-full&currentSchema=plant");
  public static final Key<String> JDBC_USER =
      KEYS.unset("sink.jdbc.user", text(255), "role that owns the tables");
  public static final Key<String> JDBC_PASSWORD =
      KEYS.unset(
          "sink.jdbc.password",
          text(4_096),
          "password of the role; prefer a file, named by WEIR_SINK_JDBC_PASSWORD_FILE");
  public static final Key<List<String>> TOPICS =
      KEYS.unset(
          "sink.topics",
          choices(SinkSettings.words()),
          "topics to write; default: all of these that are enabled, without late and"
              + " dead-letters");
  public static final Key<Integer> BATCH_ROWS =
      KEYS.of(
          "sink.batch.rows",
          integer(1, 100_000),
          "5000",
          "number of records after which a transaction is written; a value of 5000 or more"
              + " grows up to 20,000 while the sink is behind");
  public static final Key<Duration> FLUSH_INTERVAL =
      KEYS.of(
          "sink.flush.interval",
          duration("1ms", "1m"),
          "500ms",
          "time after its first record after which a transaction is written even if it is"
              + " not full");
  public static final Key<Duration> RETENTION =
      KEYS.unset(
          "sink.retention",
          duration("1d"),
          "how long rows stay in the tables: windows and rollups by window start, in whole days"
              + " (UTC); late readings and dead letters by append time; default: forever");
  public static final Key<Duration> REJECTS_RETENTION =
      KEYS.of(
          "sink.rejects.retention",
          duration("1h"),
          "30d",
          "how long rejected records stay in weir_sink_rejects");

  static final List<Key<?>> ALL = KEYS.all();

  private SinkKeys() {}
}
