package io.weir.internal.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.cli.Weir;
import io.weir.lab.ClassArchive;
import io.weir.v1.Reading;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every committed row arrives once, whatever is killed, frozen or restored; {@code
 * -Dweir.collect.kills=50} for more kills, and {@code -Dweir.collect.between=2000} for more rows
 * between two of them, {@code -Dweir.collect.rows=120} for larger transactions and so more rows a
 * second. What was committed says a second table, written in the rows' transactions.
 */
@Timeout(1_800)
class CollectorKillsOnKafkaTest extends OutboxFixture {
  private static final int KILLS = Integer.getInteger("weir.collect.kills", 4);
  private static final int BETWEEN = Integer.getInteger("weir.collect.between", 200);
  private static final int ROWS = Integer.getInteger("weir.collect.rows", 30);
  private static final long SEED = Long.getLong("weir.seed", new Random().nextLong());

  private final Random random = new Random(SEED);
  private final List<Process> processes = new ArrayList<>();
  private volatile boolean writing = true;
  private long written;

  @BeforeEach
  void makeExpected() throws SQLException {
    bed.execute("create table expected (sensor_id text, timestamp_ms bigint, value float8)");
  }

  @AfterEach
  void stopAll() {
    writing = false;
    processes.forEach(Process::destroyForcibly);
  }

  @Test
  void everyRow_arrivesOnce_whateverIsKilled() throws Exception {
    bed.start();
    bed.start();
    List<Thread> writers = List.of(writer(1), writer(2));
    writers.forEach(Thread::start);
    long startNanos = System.nanoTime();
    for (int kill = 0; kill < KILLS; kill++) {
      long before = committed();
      bed.await("rows come", () -> committed() > before + BETWEEN);
      kill(kill % 4);
    }
    writing = false;
    for (Thread writer : writers) {
      writer.join();
    }
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    System.out.printf(
        "seed %d: %d kills in %.0f s, %.0f rows/s committed%n",
        SEED, KILLS, seconds, committed() / seconds);
    bed.awaitAllSent();

    assertExactlyOnce();
  }

  @Test
  void frozenCollector_isReplaced_andChangesNothingWhenItWakes() throws Exception {
    Process frozen = process();
    write(200);
    bed.awaitAllSent();
    Thread writer = writer(3);
    writer.start();
    signal("STOP", frozen);
    Collector other = bed.start();
    bed.await("the other one takes over", other::isActive);
    writing = false;
    writer.join();
    bed.awaitAllSent();
    signal("CONT", frozen);
    writing = true;
    write(500);
    bed.awaitAllSent();

    assertExactlyOnce();
    assertThat(frozen.isAlive()).isTrue();
  }

  @Test
  void twoThatBeginAtOnce_areNotBothActive() throws Exception {
    Duration lease = Duration.ofMinutes(10);
    List<Collector> all = List.of(bed.start(lease), bed.start(lease), bed.start(lease));
    bed.await("one is active", () -> all.stream().anyMatch(Collector::isActive));
    write(100);
    bed.awaitAllSent();

    assertThat(all.stream().filter(Collector::isActive)).hasSize(1);
    assertThat(bed.query("select epoch from weir_collector")).isEqualTo(1);
    assertExactlyOnce();
  }

  private void kill(int kind) throws SQLException {
    switch (kind) {
      case 0 ->
          bed.execute(
              "select pg_terminate_backend(pid) from pg_stat_activity"
                  + " where application_name = 'weir collect'");
      case 1 -> {
        bed.collectors.remove(random.nextInt(bed.collectors.size())).breakOff();
        bed.start();
      }
      case 2 -> {
        postgres.kill();
        postgres.restart();
      }
      default -> {
        bed.collectors.remove(random.nextInt(bed.collectors.size())).close();
        bed.start();
      }
    }
  }

  /** Writes until it is asked to stop, whatever happens to the server. */
  private Thread writer(int number) {
    return new Thread(
        () -> {
          Random own = new Random(SEED + number);
          while (writing) {
            try (Connection connection = bed.connect()) {
              connection.setAutoCommit(false);
              while (writing) {
                writeSome(connection, own);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(own.nextInt(20)));
              }
            } catch (SQLException e) {
              Await.pause();
            }
          }
        },
        "writer-" + number);
  }

  private void write(int transactions) throws SQLException {
    try (Connection connection = bed.connect()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < transactions; i++) {
        writeSome(connection, random);
      }
    }
  }

  private void writeSome(Connection connection, Random own) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            with rows as (
              select ?::smallint as priority, 's-' || ? as sensor_id, ?::bigint + n as timestamp_ms,
                     ?::float8 + n as value
                from generate_series(1, ?) n),
            kept as (insert into expected select sensor_id, timestamp_ms, value from rows)
            insert into weir_outbox (priority, sensor_id, timestamp_ms, value) select * from rows""")) {
      int sensor = own.nextInt(90);
      statement.setInt(1, sensor % 3);
      statement.setInt(2, sensor);
      statement.setLong(3, 1 + (own.nextLong() >>> 20));
      statement.setDouble(4, own.nextGaussian());
      statement.setInt(5, 1 + own.nextInt(ROWS));
      statement.executeUpdate();
    }
    if (own.nextInt(10) == 0) {
      connection.rollback();
    } else {
      connection.commit();
    }
  }

  private long committed() {
    try {
      written = bed.query("select count(*) from expected");
    } catch (SQLException e) {
      // The server is being killed.
    }
    return written;
  }

  private void assertExactlyOnce() throws SQLException {
    List<String> expected = new ArrayList<>();
    try (Connection connection = bed.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select * from expected")) {
      while (rows.next()) {
        expected.add(text(rows.getString(1), rows.getLong(2), rows.getDouble(3)));
      }
    }
    List<String> arrived = new ArrayList<>();
    for (Reading reading : bed.arrived().readings()) {
      arrived.add(text(reading.getSensorId(), reading.getTimestampMs(), reading.getValue()));
    }
    expected.sort(null);
    arrived.sort(null);
    assertThat(arrived).as("seed %s", SEED).isEqualTo(expected);
    assertThat(expected).hasSizeGreaterThan(100);
  }

  private static String text(String sensor, long timestampMs, double value) {
    return sensor + " " + timestampMs + " " + value;
  }

  /** A collector in a process of its own. */
  private Process process() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ClassArchive.options());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", Weir.class.getName(), "collect"));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.matches("(WEIR|KAFKA)_.*"));
    bed.settings()
        .forEach(
            (key, value) ->
                builder
                    .environment()
                    .put(
                        "WEIR_" + key.toUpperCase(java.util.Locale.ROOT).replace('.', '_'), value));
    builder.environment().put("WEIR_HTTP_PORT", "0");
    Process process =
        builder
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    processes.add(process);
    return process;
  }

  private static void signal(String signal, Process process) throws Exception {
    new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
  }
}
