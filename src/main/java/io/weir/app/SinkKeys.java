package io.weir.app;

import static io.weir.app.ValueType.choices;
import static io.weir.app.ValueType.duration;
import static io.weir.app.ValueType.integer;
import static io.weir.app.ValueType.jdbcUrl;
import static io.weir.app.ValueType.text;

import java.time.Duration;
import java.util.List;

/** The settings of the sink: a part of the catalogue {@link Keys}. */
public final class SinkKeys {
  public static final Key<String> JDBC_URL =
      Key.unset(
          "sink.jdbc.url",
          jdbcUrl(),
          "sink: the database, such as jdbc:postgresql://localhost:5432/weir; parameters of the"
              + " driver may follow, ?sslmode=verify-full&currentSchema=plant");
  public static final Key<String> JDBC_USER =
      Key.unset("sink.jdbc.user", text(255), "sink: the role that owns the tables");
  public static final Key<String> JDBC_PASSWORD =
      Key.unset(
          "sink.jdbc.password",
          text(4_096),
          "sink: its password; better in a file that WEIR_SINK_JDBC_PASSWORD_FILE names");
  public static final Key<List<String>> TOPICS =
      Key.unset(
          "sink.topics",
          choices(SinkSettings.words()),
          "sink: topics that are written; unset for all of these that are switched on");
  public static final Key<Integer> BATCH_ROWS =
      Key.of(
          "sink.batch.rows",
          integer(1, 100_000),
          "5000",
          "sink: records after which a transaction is written; from 5000 on up to 20,000 while it is"
              + " behind, below that never more");
  public static final Key<Duration> FLUSH_INTERVAL =
      Key.of(
          "sink.flush.interval",
          duration("1ms", "1m"),
          "500ms",
          "sink: time after its first record when a transaction is written, full or not");
  public static final Key<Duration> RETENTION =
      Key.unset(
          "sink.retention",
          duration("1d"),
          "sink: how long windows and rollups stay in the tables, by their start; whole days (UTC)"
              + " are dropped; unset for ever");

  static final List<Key<?>> ALL =
      List.of(JDBC_URL, JDBC_USER, JDBC_PASSWORD, TOPICS, BATCH_ROWS, FLUSH_INTERVAL, RETENTION);

  private SinkKeys() {}
}
