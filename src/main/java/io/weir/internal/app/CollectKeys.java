package io.weir.internal.app;

import static io.weir.internal.app.ValueType.duration;
import static io.weir.internal.app.ValueType.flag;
import static io.weir.internal.app.ValueType.integer;
import static io.weir.internal.app.ValueType.jdbcUrl;
import static io.weir.internal.app.ValueType.rate;
import static io.weir.internal.app.ValueType.text;

import java.time.Duration;
import java.util.List;

/** The settings of the collector: a part of the catalogue {@link Keys}. */
public final class CollectKeys {
  private static final Key.Group KEYS = new Key.Group();

  public static final Key<String> JDBC_URL =
      KEYS.unset(
          "collect.jdbc.url",
          jdbcUrl(),
          "JDBC URL of the database with weir_outbox, such as"
              + " jdbc:postgresql://localhost:5432/plant; driver parameters may follow,"
              + " ?sslmode=verify-full&currentSchema=plant");
  public static final Key<String> JDBC_USER =
      KEYS.unset("collect.jdbc.user", text(255), "role that owns the tables");
  public static final Key<String> JDBC_PASSWORD =
      KEYS.unset(
          "collect.jdbc.password",
          text(4_096),
          "password of the role; prefer a file, named by WEIR_COLLECT_JDBC_PASSWORD_FILE");
  public static final Key<Integer> BATCH_LIMIT =
      KEYS.of(
          "collect.batch.limit",
          integer(1, 10_000),
          "1000",
          "number of rows after which a batch is sent");
  public static final Key<Duration> BATCH_TIMEOUT =
      KEYS.of(
          "collect.batch.timeout",
          duration("1ms", "1h"),
          "1s",
          "time after its first row after which a batch is sent even if it is not full");
  public static final Key<Duration> POLL_INTERVAL =
      KEYS.of(
          "collect.poll.interval",
          duration("1ms", "1h"),
          "5s",
          "interval of polling the outbox in addition to notifications");
  public static final Key<Duration> HEALTHCHECK_INTERVAL =
      KEYS.of(
          "collect.healthcheck.interval",
          duration("2s", "1h"),
          "30s",
          "silence of the database after which its connection is replaced");
  public static final Key<Rate> MAX_RATE =
      KEYS.unset(
          "collect.max.rate",
          rate(),
          "maximum rate of rows sent, such as 1000/s; other rows wait in the database;"
              + " default: no limit");
  public static final Key<Integer> BURST =
      KEYS.unset(
          "collect.burst",
          integer(1, 10_000_000),
          "number of rows that collect.max.rate lets through at once after a pause;"
              + " default: the rows of a tenth of a second, at least 1");
  public static final Key<Boolean> ADAPTIVE =
      KEYS.of(
          "collect.adaptive",
          flag(),
          "false",
          "adapts the batch limit and timeout: the limit grows with the backlog while"
              + " acknowledgements are faster than collect.target.latency, halves while they are"
              + " slower, and the timeout shrinks when few rows come");
  public static final Key<Duration> TARGET_LATENCY =
      KEYS.of(
          "collect.target.latency",
          duration("1ms", "1m"),
          "100ms",
          "target latency of acknowledgements with collect.adaptive");
  public static final Key<Boolean> DELETE =
      KEYS.of(
          "collect.delete",
          flag(),
          "true",
          "whether acknowledged rows are deleted from weir_outbox");
  public static final Key<Duration> REJECTS_RETENTION =
      KEYS.of(
          "collect.rejects.retention",
          duration("1h"),
          "30d",
          "how long rejected rows stay in weir_outbox_rejects");

  static final List<Key<?>> ALL = KEYS.all();

  private CollectKeys() {}
}
