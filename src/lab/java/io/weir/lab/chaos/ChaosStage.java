package io.weir.lab.chaos;

import io.weir.topic.TopicNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** All processes of a run, and the watch over their output. Closing it ends them all, at once. */
final class ChaosStage implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofMinutes(3);

  private final ChaosSettings settings;
  private final Path dir;
  private final ChaosCluster cluster;
  private final OutputWatch output;
  private final List<Application> applications = new CopyOnWriteArrayList<>();
  private final List<Gateway> gateways = new ArrayList<>();
  private final Deletions deletions = new Deletions(this);
  private final Lives lives = new Lives(this);
  private Optional<EventStage> events = Optional.empty();
  private Optional<PostgresStage> postgres = Optional.empty();
  private Optional<ImportStage> imports = Optional.empty();
  private final AtomicInteger endedByThemselves = new AtomicInteger();
  private final Supervisor supervisor =
      new Supervisor(applications, endedByThemselves::incrementAndGet);

  private ChaosStage(ChaosCluster cluster, ChaosSettings settings, Path dir) {
    this.cluster = cluster;
    this.settings = settings;
    this.dir = dir;
    this.output = OutputWatch.start(cluster.direct());
    for (int i = 0; i < settings.applications(); i++) {
      applications.add(new Application(i, settings, cluster.bootstrapServers(), dir));
    }
    Map<String, String> keys = new ChaosKeys(settings, dir).mastersOfReadings();
    for (int i = 0; i < settings.gateways(); i++) {
      GatewayTask task =
          new GatewayTask(
              i,
              GatewayLife.EMPTY_HANDED,
              cluster.bootstrapServers(),
              TopicNames.DEFAULT.readings(),
              dir.resolve("gateway-" + i + ".ledger"),
              settings.seed(),
              settings.sensors() / settings.gateways(),
              settings.readingsPerSecond() / settings.gateways(),
              settings.bug() == PlantedBug.PUBLISHER_WEDGES);
      gateways.add(new Gateway(task, keys, dir.resolve("gateway-" + i + ".log")));
    }
  }

  /** Starts everything; returns when the applications have their partitions. */
  static ChaosStage start(ChaosSettings settings, Path dir) {
    ChaosCluster cluster = ChaosCluster.start(settings.brokers(), dir, RingTurns.brokers(settings));
    ChaosStage stage = new ChaosStage(cluster, settings, dir);
    try {
      stage.applications.forEach(Application::start);
      for (Application application : stage.applications) {
        if (!application.awaitRunning(START_TIMEOUT)) {
          throw new IllegalStateException(
              application.instanceId() + " does not run; see its log in " + dir);
        }
      }
      if (settings.bug() == PlantedBug.CHANGELOG_BY_APPEND_TIME) {
        RefusedStarts.changelogOfCreateTime(cluster.admin());
      }
      stage.gateways.forEach(gateway -> gateway.start(GatewayLife.EMPTY_HANDED));
      if (settings.events() > 0) {
        stage.events = Optional.of(new EventStage(cluster, settings, dir));
        stage.events.get().start(START_TIMEOUT);
      }
      if (settings.postgres()) {
        stage.postgres = Optional.of(PostgresStage.start(cluster, settings, dir));
      }
      if (settings.imports()) {
        stage.imports = Optional.of(ImportStage.start(cluster, settings, dir));
      }
      return stage;
    } catch (RuntimeException e) {
      stage.close();
      throw e;
    }
  }

  /** For logs. */
  Path dir() {
    return dir;
  }

  /** Stops the applications; from now on nobody starts one that ends. */
  void standDown() {
    supervisor.close();
    applications.forEach(Application::stop);
  }

  ChaosSettings settings() {
    return settings;
  }

  ChaosCluster cluster() {
    return cluster;
  }

  OutputWatch output() {
    return output;
  }

  List<Application> applications() {
    return applications;
  }

  List<Gateway> gateways() {
    return gateways;
  }

  /** Readings that were deleted. */
  Deletions deletions() {
    return deletions;
  }

  /** Resets of the applications, and edits of their rules file. */
  Lives lives() {
    return lives;
  }

  /** The processes of weir events and what sends to them, where they are asked for. */
  Optional<EventStage> events() {
    return events;
  }

  /** The PostgreSQL with what writes to it and reads from it, where it is asked for. */
  Optional<PostgresStage> postgres() {
    return postgres;
  }

  /** The processes of weir import and what they read, where they are asked for. */
  Optional<ImportStage> imports() {
    return imports;
  }

  /** Applications that ended by themselves so far, and were started again. */
  int endedByThemselves() {
    return endedByThemselves.get()
        + events.map(EventStage::endedByThemselves).orElse(0)
        + postgres.map(PostgresStage::endedByThemselves).orElse(0)
        + imports.map(ImportStage::endedByThemselves).orElse(0);
  }

  /** Readings that the brokers acknowledged, about. */
  long acknowledged() {
    return gateways.stream().mapToLong(Gateway::acknowledged).sum();
  }

  @Override
  public void close() {
    supervisor.close();
    imports.ifPresent(ImportStage::close);
    postgres.ifPresent(PostgresStage::close);
    events.ifPresent(EventStage::close);
    gateways.forEach(Gateway::close);
    applications.forEach(Application::close);
    output.close();
    cluster.close();
  }
}
