package io.weir.internal.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.postgres.Database;
import io.weir.lab.EmbeddedPostgres;
import java.lang.reflect.Field;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;

/** The loop over a real PostgreSQL, and a Kafka that says nothing. */
@Timeout(300)
class CollectLoopTest {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(90);

  private static EmbeddedPostgres postgres;

  @BeforeAll
  static void startServer() {
    postgres = EmbeddedPostgres.start();
  }

  @AfterAll
  static void closeServer() {
    postgres.close();
  }

  @Test
  void stopWhileBatchesAreSentAgain_keepsThemInFlight() throws Exception {
    CollectSchema.init(config().collect(), false);
    execute("truncate weir_outbox, weir_collector");
    execute(
        "insert into weir_outbox (sensor_id, timestamp_ms, value)"
            + " select 's', n, n from generate_series(1, 30) n");
    runUntilItSends();
    String inFlight = query("select cursors::text || encode(in_flight, 'hex') from weir_collector");
    assertThat(query("select length(in_flight)::text from weir_collector")).isNotEqualTo("1");

    runUntilItSends();

    assertThat(query("select cursors::text || encode(in_flight, 'hex') from weir_collector"))
        .isEqualTo(inFlight);
    assertThat(query("select count(*)::text from weir_outbox")).isEqualTo("30");
  }

  @Test
  void whileKafkaAcknowledgesNothing_theGaugesShowWhatWaits() throws Exception {
    CollectSchema.init(config().collect(), false);
    execute("truncate weir_outbox, weir_collector");
    execute(
        "insert into weir_outbox (sensor_id, timestamp_ms, value)"
            + " select 's', n, n from generate_series(1, 30) n");
    CollectStatus status = new CollectStatus();
    long[] behind = new long[1];

    runUntil(status, silent -> (behind[0] = status.behindRows()) == 30 && status.oldestMs() > 0);

    assertThat(behind[0]).as("10 in flight, 20 in the outbox").isEqualTo(30);
    assertThat(status.stalledMs()).isPositive();
  }

  /** Each insert of an application notifies, also while nothing is read. */
  @Test
  void notifications_doNotPileUp_whileKafkaAcknowledgesNothing() throws Exception {
    CollectSchema.init(config().collect(), true);
    execute("truncate weir_outbox, weir_collector");
    execute(
        "insert into weir_outbox (sensor_id, timestamp_ms, value)"
            + " select 's', n, n from generate_series(1, 30) n");
    MockProducer<byte[], byte[]> silent = silent();
    CollectLoop loop = loop(new CollectStatus(), silent, Duration.ofMillis(600));
    Set<String> renewals = new HashSet<>();
    int[] piled = new int[1];

    run(
        loop,
        () -> {
          if (silent.history().isEmpty()) {
            return false;
          }
          if (renewals.isEmpty()) {
            notifyOften(1_000);
          }
          renewals.add(query("select lease_until::text from weir_collector"));
          piled[0] = renewals.size() < 5 ? 0 : notificationsOf(loop);
          return renewals.size() == 5;
        });

    assertThat(piled[0]).isLessThan(100);
  }

  private static void notifyOften(int times) throws SQLException {
    try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
        Statement statement = connection.createStatement()) {
      for (int i = 0; i < times; i++) {
        statement.execute("notify " + CollectSchema.CHANNEL);
      }
    }
  }

  private static int notificationsOf(CollectLoop loop) throws Exception {
    Field connection = CollectLoop.class.getDeclaredField("connection");
    connection.setAccessible(true);
    return ((Connection) connection.get(loop)).unwrap(PGConnection.class).getNotifications().length;
  }

  /** As the former primary after a failover. */
  @Test
  void readOnlyServer_isWaitedFor_andNamed() throws Exception {
    CollectSchema.init(config().collect(), false);
    execute("truncate weir_outbox, weir_collector");
    execute(
        "insert into weir_outbox (sensor_id, timestamp_ms, value)"
            + " select 's', n, n from generate_series(1, 30) n");
    CollectStatus status = new CollectStatus();
    boolean[] waited = new boolean[1];
    readOnly(true);
    try {
      runUntil(
          status,
          silent -> {
            if (!waited[0] && status.waits().waitsFor().contains("the server is read-only")) {
              waited[0] = true;
              assertThat(status.waits().waitsFor()).contains("25006").doesNotContain("\n");
              readOnly(false);
            }
            return waited[0] && !silent.history().isEmpty();
          });
    } finally {
      readOnly(false);
    }
    assertThat(query("select count(*)::text from weir_outbox")).isEqualTo("30");
  }

  private static void readOnly(boolean on) {
    try {
      execute(
          "set transaction read write;"
              + " do $$ begin execute format('alter database %I set default_transaction_read_only = "
              + on
              + "', current_database()); end $$");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Stops it while nothing of what it sent is acknowledged. */
  private static void runUntilItSends() throws Exception {
    runUntil(new CollectStatus(), silent -> !silent.history().isEmpty());
  }

  private static void runUntil(
      CollectStatus status, Predicate<MockProducer<byte[], byte[]>> isReached) throws Exception {
    MockProducer<byte[], byte[]> silent = silent();
    run(loop(status, silent, LEASE), () -> isReached.test(silent));
  }

  private static MockProducer<byte[], byte[]> silent() {
    return new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static CollectLoop loop(
      CollectStatus status, MockProducer<byte[], byte[]> silent, Duration lease) {
    WeirConfig config = config();
    return new CollectLoop(
        new CollectPlan("db", config.collect(), config.limits(), true, lease),
        new Database(CollectSchema.address(config.collect()), Database.Limits.of(LEASE)),
        new Sender(new OutgoingRecords(config, "db"), () -> silent),
        status,
        new CollectCounters());
  }

  private static void run(CollectLoop loop, Callable<Boolean> isReached) throws Exception {
    Thread thread =
        new Thread(
            () -> {
              try {
                loop.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.start();
    long endNanos = System.nanoTime() + TIMEOUT_NANOS;
    while (!isReached.call()) {
      assertThat(System.nanoTime()).as("it gets there").isLessThan(endNanos);
      Await.pause();
    }
    loop.stop();
    thread.join(TimeUnit.NANOSECONDS.toMillis(TIMEOUT_NANOS));
    assertThat(thread.isAlive()).isFalse();
  }

  private static WeirConfig config() {
    return WeirConfig.of(
        new Properties(),
        Map.of(),
        Map.of(
            "bootstrap.servers",
            "localhost:1",
            "collect.jdbc.url",
            postgres.jdbcUrl(),
            "collect.batch.limit",
            "10",
            "gateway.id",
            "db",
            "events",
            "true"));
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String query(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getString(1);
    }
  }
}
