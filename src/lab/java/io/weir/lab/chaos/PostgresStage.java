package io.weir.lab.chaos;

import io.weir.lab.EmbeddedPostgres;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A PostgreSQL, the processes of {@code weir sink} and {@code weir collect} on it, what inserts
 * into its outbox, their faults, and the verdict. Each lane of faults has a thread.
 */
final class PostgresStage implements AutoCloseable {
  private static final int PROCESSES_EACH = 2;
  private static final int WRITERS = 3;
  private static final Duration TIMEOUT = Duration.ofMinutes(5);
  private static final Duration VERDICT_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration LOOK = Duration.ofSeconds(3);
  private static final String SCHEMA = "hall_2";
  private static final int REPLAYS = 5;
  private static final Duration DUMP_AT_THE_START = Duration.ofSeconds(20);
  private static final Duration TAKEN_OVER = Duration.ofSeconds(60);
  private static final Duration AT_WORK = Duration.ofSeconds(20);

  /** One of this many kills of collectors hits one that may stand by. */
  private static final int ANY_ONE_IN = 4;

  private final ChaosCluster cluster;
  private final ChaosSettings settings;
  private final EmbeddedPostgres server = EmbeddedPostgres.start();
  private final String jdbcUrl = server.jdbcUrl() + "&currentSchema=" + SCHEMA;
  private final TableUsers users = new TableUsers(jdbcUrl);
  private final RejectsReplay replay;
  private final List<Application> applications = new CopyOnWriteArrayList<>();
  private final List<SinkApplication> sinks = new ArrayList<>();
  private final List<CollectorApplication> collectors = new ArrayList<>();
  private final List<OutboxApplication> writers = new ArrayList<>();
  private final AtomicInteger endedByThemselves = new AtomicInteger();
  private final Supervisor supervisor;

  private PostgresStage(ChaosCluster cluster, ChaosSettings settings, Path dir) {
    this.cluster = cluster;
    this.settings = settings;
    String kafka = cluster.bootstrapServers();
    for (int i = 0; i < PROCESSES_EACH; i++) {
      sinks.add(new SinkApplication(i, settings, kafka, jdbcUrl, dir));
      collectors.add(new CollectorApplication(i, settings, kafka, jdbcUrl, dir));
    }
    for (int i = 0; i < WRITERS; i++) {
      writers.add(new OutboxApplication(i, settings.seed(), jdbcUrl, i == 0, settings.pauses()));
    }
    replay = new RejectsReplay(settings, kafka, jdbcUrl, dir);
    applications.addAll(sinks);
    applications.addAll(collectors);
    supervisor = new Supervisor(applications, endedByThemselves::incrementAndGet);
  }

  /**
   * Starts everything; returns when the sinks and a collector are connected.
   *
   * @throws IllegalStateException if they are not
   */
  static PostgresStage start(ChaosCluster cluster, ChaosSettings settings, Path dir) {
    PostgresStage stage = new PostgresStage(cluster, settings, dir);
    try {
      stage.makeTables();
      // As in the night: nothing can be attached until it has ended.
      Thread dump = new Thread(() -> stage.users.dump(DUMP_AT_THE_START), "dump");
      dump.setDaemon(true);
      dump.start();
      stage.applications.forEach(Application::start);
      if (!Waiting.until(TIMEOUT, () -> stage.connected("weir sink") >= PROCESSES_EACH)
          || !Waiting.until(TIMEOUT, () -> stage.connected("weir collect") > 0)) {
        throw new IllegalStateException(
            "weir sink or weir collect does not connect; see the logs in " + dir);
      }
      stage.writers.forEach(OutboxApplication::start);
      return stage;
    } catch (SQLException e) {
      stage.close();
      throw new IllegalStateException("PostgreSQL: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      stage.close();
      throw e;
    }
  }

  private void makeTables() throws SQLException {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("create schema " + SCHEMA);
    }
    try (Connection connection = connect()) {
      PostgresTables.create(connection, jdbcUrl);
      PostgresTables.plant(settings.bug(), connection);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl);
  }

  /** One of the faults of its lanes. */
  void have(PlannedFault fault) {
    switch (fault.kind()) {
      case SINK_KILL -> kill(sinks.get(fault.target() % sinks.size()), fault, "weir sink");
      case COLLECTOR_KILL -> kill(collector(fault), fault, "weir collect");
      case SINK_ZOMBIE -> freeze(sinks.get(fault.target() % sinks.size()), fault);
      case COLLECTOR_ZOMBIE -> freeze(collector(fault), fault);
      case POSTGRES_KILL -> {
        server.kill();
        hold(fault);
        server.restart();
      }
      case COLLECTOR_FAILOVER -> failOver(fault);
      case DUMP -> users.dump(Duration.ofMillis(fault.holdMs()));
      case LONG_READER -> users.read(Duration.ofMillis(fault.holdMs()));
      case SLOW_DISK -> users.slow((int) fault.amount(), Duration.ofMillis(fault.holdMs()));
      case ROWS_REFUSED -> {
        users.refuse(Duration.ofMillis(fault.holdMs()));
        replay.run();
      }
      case BACKEND_KILL -> {
        terminate(fault.target() % 2 == 0 ? "weir sink" : "weir collect");
        hold(fault);
      }
      default -> throw new IllegalArgumentException(fault.kind().label());
    }
  }

  private static void hold(PlannedFault fault) {
    Waiting.until(Duration.ofMillis(fault.holdMs()), () -> false);
  }

  /** The next fault finds it at work, unless others of the lane were. */
  private void kill(Application application, PlannedFault fault, String program) {
    application.kill();
    hold(fault);
    int before = connected(program);
    application.start();
    Waiting.until(AT_WORK, () -> connected(program) > before);
  }

  /** Returns once another one collects. */
  private void failOver(PlannedFault fault) {
    CollectorApplication killed = collector(fault);
    killed.kill();
    long killedNanos = System.nanoTime();
    Waiting.until(
        TAKEN_OVER,
        () ->
            collectors.stream()
                .anyMatch(each -> each != killed && each.activeNanos() > killedNanos));
    killed.start();
  }

  private static void freeze(Application application, PlannedFault fault) {
    application.freeze();
    hold(fault);
    application.thaw();
  }

  /** Mostly the one that collects. */
  private CollectorApplication collector(PlannedFault fault) {
    return fault.target() % ANY_ONE_IN == 0
        ? collectors.get(fault.target() / ANY_ONE_IN % collectors.size())
        : collectors.stream()
            .max(Comparator.comparingLong(CollectorApplication::activeNanos))
            .orElseThrow();
  }

  private void terminate(String program) {
    number(
        "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = '%s'"
            .formatted(program));
  }

  private int connected(String program) {
    return (int)
        number(
            "select count(*) from pg_stat_activity where application_name = '%s'"
                .formatted(program));
  }

  /** The number that a query gives; -1 where nobody answers. */
  private long number(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getLong(1);
    } catch (SQLException e) {
      return -1;
    }
  }

  /** Processes that ended by themselves so far, and were started again. */
  int endedByThemselves() {
    return endedByThemselves.get();
  }

  /** Returns when nothing is inserted any more. */
  void finishWriting() {
    writers.forEach(OutboxApplication::close);
  }

  /** Whether all rows were sent and acknowledged. */
  boolean isOutboxEmpty() {
    return rowsOnTheirWay() == 0;
  }

  /** What is to become of the outbox, in words. */
  String outbox() {
    return "collectors are to send " + rowsOnTheirWay() + " rows and bytes in flight";
  }

  private long rowsOnTheirWay() {
    return number(
        "select (select count(*) from weir_outbox)"
            + " + (select coalesce(sum(length(in_flight)), 2) - 1 from weir_collector)");
  }

  /** Enters what the collectors sent: whether that is right is judged by the rows. */
  void enterCollected(LedgerIndex ledgers) {
    try (CommittedTopic reader = new CommittedTopic(cluster.direct())) {
      reader.read(
          TopicNames.ALL.of(Topic.READINGS),
          record -> {
            if (OutboxOracle.batch(record) != null) {
              ledgers.readCollected(record.partition(), record.value());
            }
          });
    }
  }

  /** Waits until the tables have what the topics have, stops all, and judges what is there. */
  PostgresVerdict judge(Consumer<String> progress) {
    progress.accept("waiting until the tables have what the topics have");
    PostgresOracle oracle =
        new PostgresOracle(
            cluster.direct(), jdbcUrl, PostgresTables.written(settings.events() > 0));
    List<String> unsettled = new ArrayList<>();
    if (!Waiting.until(TIMEOUT, () -> isCaughtUp(oracle, progress))) {
      unsettled.add("the tables lack records after " + TIMEOUT.toMinutes() + " minutes");
    }
    progress.accept("replaying rejects");
    if (IntStream.range(0, REPLAYS).noneMatch(i -> replay.run())) {
      unsettled.add("weir sink --replay-rejects does not end well; see replay.log");
    }
    progress.accept("asking the oracle about PostgreSQL");
    try {
      PostgresVerdict verdict = oracle.judge(unsettled);
      long startNanos = System.nanoTime();
      while (!verdict.findings().areNone()
          && System.nanoTime() - startNanos < VERDICT_TIMEOUT.toNanos()) {
        Waiting.until(LOOK, () -> false);
        verdict = oracle.judge(unsettled);
      }
      return verdict;
    } catch (SQLException e) {
      throw new IllegalStateException("PostgreSQL: " + e.getMessage(), e);
    } finally {
      supervisor.close();
      applications.forEach(Application::stop);
    }
  }

  private static boolean isCaughtUp(PostgresOracle oracle, Consumer<String> progress) {
    Waiting.until(LOOK, () -> false);
    long behind = oracle.behind();
    progress.accept("       %,d offsets are not written".formatted(behind));
    return behind == 0;
  }

  @Override
  public void close() {
    supervisor.close();
    finishWriting();
    replay.close();
    applications.forEach(Application::close);
    server.close();
  }
}
