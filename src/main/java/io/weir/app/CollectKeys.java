package io.weir.app;

import static io.weir.app.ValueType.duration;
import static io.weir.app.ValueType.flag;
import static io.weir.app.ValueType.integer;
import static io.weir.app.ValueType.jdbcUrl;
import static io.weir.app.ValueType.rate;
import static io.weir.app.ValueType.text;

import java.time.Duration;
import java.util.List;

/** The settings of the collector: a part of the catalogue {@link Keys}. */
public final class CollectKeys {
  public static final Key<String> JDBC_URL =
      Key.unset(
          "collect.jdbc.url",
          jdbcUrl(),
          "collect: the database with weir_outbox, such as jdbc:postgresql://localhost:5432/plant;"
              + " parameters of the driver may follow, ?sslmode=verify-full&currentSchema=plant");
  public static final Key<String> JDBC_USER =
      Key.unset("collect.jdbc.user", text(255), "collect: the role that owns the tables");
  public static final Key<String> JDBC_PASSWORD =
      Key.unset(
          "collect.jdbc.password",
          text(4_096),
          "collect: its password; better in a file that WEIR_COLLECT_JDBC_PASSWORD_FILE names");
  public static final Key<Integer> BATCH_LIMIT =
      Key.of(
          "collect.batch.limit",
          integer(1, 10_000),
          "1000",
          "collect: rows after which what waits is sent");
  public static final Key<Duration> BATCH_TIMEOUT =
      Key.of(
          "collect.batch.timeout",
          duration("1ms", "1h"),
          "1s",
          "collect: time after the first row was seen when what waits is sent, however few");
  public static final Key<Duration> POLL_INTERVAL =
      Key.of(
          "collect.poll.interval",
          duration("1ms", "1h"),
          "5s",
          "collect: how often the outbox is looked at, notified or not");
  public static final Key<Duration> HEALTHCHECK_INTERVAL =
      Key.of(
          "collect.healthcheck.interval",
          duration("2s", "1h"),
          "30s",
          "collect: a connection on which the database says nothing for so long is given up");
  public static final Key<Rate> MAX_RATE =
      Key.unset(
          "collect.max.rate",
          rate(),
          "collect: most rows that are sent, over a span of time; what waits, waits in the"
              + " database; unset for no bound");
  public static final Key<Integer> BURST =
      Key.unset(
          "collect.burst",
          integer(1, 10_000_000),
          "collect: rows that collect.max.rate lets through at once after a rest; unset for a"
              + " tenth of a second's, at least 1");
  public static final Key<Boolean> ADAPTIVE =
      Key.of(
          "collect.adaptive",
          flag(),
          "false",
          "collect: whether the batch limit grows with a backlog while acknowledgements are faster"
              + " than collect.target.latency and halves while they are not, and the timeout"
              + " shrinks when little comes");
  public static final Key<Duration> TARGET_LATENCY =
      Key.of(
          "collect.target.latency",
          duration("1ms", "1m"),
          "100ms",
          "collect: how long the acknowledgement of a batch may take with collect.adaptive");
  public static final Key<Boolean> DELETE =
      Key.of(
          "collect.delete",
          flag(),
          "true",
          "collect: whether rows are deleted from weir_outbox once they are acknowledged");

  static final List<Key<?>> ALL =
      List.of(
          JDBC_URL,
          JDBC_USER,
          JDBC_PASSWORD,
          BATCH_LIMIT,
          BATCH_TIMEOUT,
          POLL_INTERVAL,
          HEALTHCHECK_INTERVAL,
          MAX_RATE,
          BURST,
          ADAPTIVE,
          TARGET_LATENCY,
          DELETE);

  private CollectKeys() {}
}
