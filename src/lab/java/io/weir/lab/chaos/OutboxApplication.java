package io.weir.lab.chaos;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An application that inserts rows into the outbox, whatever happens to the server, in a thread of
 * its own. What it committed is in a second table, written in the same transactions; some of them
 * are rolled back, and those of a slow writer stay open for seconds.
 */
final class OutboxApplication implements AutoCloseable {
  /** What was committed to the outbox, whether it is a reading, and when it expires. */
  static final String CREATE_LEDGER =
      """
      create table chaos_outbox (id bigint primary key, accepted boolean not null, sensor_id text,
                                 timestamp_ms bigint, value float8, quality smallint,
                                 expires_in_ms int)""";

  private static final String INSERT =
      """
      with written as (
        insert into weir_outbox (priority, sensor_id, timestamp_ms, value, quality, key, expires_at)
        select p, s, t, v, q, k, clock_timestamp() + e * interval '1 ms'
          from unnest(?::smallint[], ?::text[], ?::bigint[], ?::float8[], ?::smallint[], ?::text[],
                      ?::int[])
            as r(p, s, t, v, q, k, e)
        returning id, sensor_id, timestamp_ms, value, quality, expires_at)
      insert into chaos_outbox
      select id, coalesce(sensor_id not like 'bad/%', false), sensor_id, timestamp_ms, value, quality,
             case when expires_at < clock_timestamp() then -1
                  else (extract(epoch from expires_at - clock_timestamp()) * 1000)::int end
        from written""";

  /** An event of some bytes in the table, and of megabytes as a text. */
  private static final String INSERT_HUGE =
      """
      with written as (
        insert into weir_outbox (priority, key, timestamp_ms, event)
        values (1, 'bad/huge', ?, jsonb_build_object('subject', repeat('x', ?))) returning id)
      insert into chaos_outbox (id, accepted) select id, false from written""";

  private static final int HUGE_ONE_IN = 60;
  private static final int LARGEST_BYTES = 16 << 20;
  private static final int ROLLED_BACK_ONE_IN = 12;
  private static final int LONGEST_PAUSE_MS = 120;
  private static final int LONGEST_SLOW_PAUSE_MS = 3_000;
  private static final Duration RECONNECT = Duration.ofMillis(100);

  private final String jdbcUrl;
  private final boolean slow;
  private final int longestPauseMs;
  private final Random random;
  private final OutboxLoad load;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final Thread thread;

  /**
   * @param slow whether its transactions take seconds
   * @param pauses factor of the pauses between two transactions, from 1
   */
  OutboxApplication(int number, long seed, String jdbcUrl, boolean slow, int pauses) {
    this.jdbcUrl = jdbcUrl;
    this.slow = slow;
    this.longestPauseMs = pauses * LONGEST_PAUSE_MS;
    this.random = new Random(seed * 31 + number);
    this.load = new OutboxLoad(random);
    this.thread = new Thread(this::run, "outbox writer " + number);
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!stopped.get()) {
      try (Connection connection = DriverManager.getConnection(jdbcUrl)) {
        connection.setAutoCommit(false);
        while (!stopped.get()) {
          writeTransaction(connection);
          pause(longestPauseMs);
        }
      } catch (SQLException e) {
        // The server is being killed; what it committed is in the second table.
        Waiting.until(RECONNECT, stopped::get);
      }
    }
  }

  private void writeTransaction(Connection connection) throws SQLException {
    for (int statements = 1 + random.nextInt(3); statements > 0; statements--) {
      insert(connection, load.next(System.currentTimeMillis()));
      if (slow) {
        pause(LONGEST_SLOW_PAUSE_MS);
      }
    }
    if (slow && random.nextInt(HUGE_ONE_IN) == 0) {
      insertHuge(connection, System.currentTimeMillis(), 1 + random.nextInt(LARGEST_BYTES));
    }
    if (random.nextInt(ROLLED_BACK_ONE_IN) == 0) {
      connection.rollback();
    } else {
      connection.commit();
    }
  }

  private static void insertHuge(Connection connection, long clockMs, int bytes)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(INSERT_HUGE)) {
      statement.setLong(1, clockMs);
      statement.setInt(2, bytes);
      statement.executeUpdate();
    }
  }

  private void pause(int longestMs) {
    Waiting.until(Duration.ofMillis(random.nextInt(longestMs)), stopped::get);
  }

  /** Inserts rows, and enters them into the second table. */
  static void insert(Connection connection, List<OutboxLoad.Row> rows) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
      set(connection, statement, 1, "int2", rows.stream().map(OutboxLoad.Row::priority).toArray());
      set(connection, statement, 2, "text", rows.stream().map(OutboxLoad.Row::sensorId).toArray());
      set(
          connection,
          statement,
          3,
          "int8",
          rows.stream().map(OutboxLoad.Row::timestampMs).toArray());
      set(connection, statement, 4, "float8", rows.stream().map(OutboxLoad.Row::value).toArray());
      set(connection, statement, 5, "int2", rows.stream().map(OutboxLoad.Row::quality).toArray());
      set(connection, statement, 6, "text", rows.stream().map(OutboxLoad.Row::key).toArray());
      set(
          connection,
          statement,
          7,
          "int4",
          rows.stream().map(OutboxLoad.Row::expiresInMs).toArray());
      statement.executeUpdate();
    }
  }

  private static void set(
      Connection connection, PreparedStatement statement, int index, String type, Object[] values)
      throws SQLException {
    statement.setArray(index, connection.createArrayOf(type, values));
  }

  /** Makes the second table. */
  static void createLedger(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(CREATE_LEDGER);
    }
  }

  /** Writes nothing more once it returns. */
  @Override
  public void close() {
    stopped.set(true);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
