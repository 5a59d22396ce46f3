package io.weir.lab.cli.demo;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.cli.LocalSite;
import io.weir.cli.screen.Numbers;
import io.weir.internal.app.StreamsApplication;
import io.weir.internal.app.WeirApplication;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.ops.Meters;
import io.weir.internal.serve.Serve;
import io.weir.internal.time.MonotonicClock;
import io.weir.lab.Auditor;
import io.weir.lab.Balance;
import io.weir.lab.FleetLedger;
import io.weir.lab.FleetRunner;
import io.weir.lab.FleetSettings;
import io.weir.lab.GroupLag;
import io.weir.lab.SimulatedFleet;
import io.weir.topic.TopicAdmin;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.streams.KafkaStreams;

/**
 * A demo from the topics to the balance, on a cluster that is there: application, fleet and auditor
 * are started, shown, and ended in order. One thread.
 */
final class DemoRun {
  private static final long STARTING_MS = 60_000;
  private static final Duration MARGIN = Duration.ofSeconds(45);

  private final WeirConfig config;
  private final FleetSettings settings;
  private final Duration duration;
  private final BooleanSupplier stopped;
  private final DemoView view;
  private final Optional<DemoPostgres> postgres;
  private final boolean withPage;

  /**
   * @param config with the cluster to use
   * @param duration how long the fleet runs
   * @param stopped whether to end before that
   * @param postgres where the windows are written too, and an application has its outbox
   * @param withPage whether the page is served until the end
   */
  DemoRun(
      WeirConfig config,
      FleetSettings settings,
      Duration duration,
      BooleanSupplier stopped,
      DemoView view,
      Optional<DemoPostgres> postgres,
      boolean withPage) {
    this.config = config;
    this.settings = settings;
    this.duration = duration;
    this.stopped = stopped;
    this.view = view;
    this.postgres = postgres;
    this.withPage = withPage;
  }

  /**
   * Runs it to its end; blocks for as long.
   *
   * @throws IllegalStateException if the application ends by itself, or does not start in time
   */
  Balance run() {
    try (Admin admin = Admin.create(config.kafka().forAdmin())) {
      new TopicAdmin(admin, config.topics()).createMissing();
      postgres.ifPresent(of -> of.start(config, view));
      try (Serve serve = withPage ? LocalSite.page(config, new SimpleMeterRegistry()) : null;
          StreamsApplication application =
              WeirApplication.start(config, new Meters(new SimpleMeterRegistry()));
          DemoEvents events = DemoEvents.start(config)) {
        awaitRunning(application);
        Balance balance = withFleet(admin, application, events, Optional.ofNullable(serve));
        postgres.ifPresent(of -> of.report(balance, view, stopped));
        return balance;
      }
    }
  }

  private void awaitRunning(StreamsApplication application) {
    long deadlineMs = MonotonicClock.millis() + STARTING_MS;
    while (application.state() != KafkaStreams.State.RUNNING && !stopped.getAsBoolean()) {
      requireAlive(application);
      if (MonotonicClock.millis() >= deadlineMs) {
        throw new IllegalStateException("the application did not start within 60 s");
      }
      DemoCourse.pause();
    }
  }

  private Balance withFleet(
      Admin admin, StreamsApplication application, DemoEvents events, Optional<Serve> page) {
    String bootstrapServers = config.kafka().forAdmin().get("bootstrap.servers").toString();
    FleetLedger ledger = new FleetLedger();
    SimulatedFleet fleet =
        SimulatedFleet.onKafka(
            settings,
            System.currentTimeMillis(),
            bootstrapServers,
            config.topics().readings(),
            config.values(),
            ledger);
    LiveSensors sensors = new LiveSensors(fleet.sensors());
    page.map(serve -> "http://" + config.serve().host() + ":" + serve.port())
        .ifPresent(at -> FaultLinks.lines(at, fleet.sensors()).forEach(view::say));
    postgres.ifPresent(DemoPostgres::startWriting);
    try (FleetRunner runner = FleetRunner.start(fleet);
        Auditor auditor =
            Auditor.start(
                config.kafka().forConsumer(), config.topics(), sensors::add, sensors::addRollup)) {
      DemoWatch watch =
          new DemoWatch(
              setup(),
              settings,
              fleet,
              ledger,
              auditor::tally,
              tally -> postgres.map(of -> of.offered(tally)).orElse(0L),
              new GroupLag(admin, config.applicationId(), config.topics().readings()),
              sensors,
              events::view);
      return new DemoCourse(
              runner,
              () -> postgres.ifPresent(DemoPostgres::stopWriting),
              watch,
              view,
              timeout(),
              stopped,
              () -> requireAlive(application))
          .toTheEnd(duration);
    }
  }

  private String setup() {
    return Numbers.grouped(settings.sensors())
        + " sensors, windows of "
        + Numbers.spoken(config.windows().size());
  }

  /**
   * Nothing moves while the last windows wait for their time, or a broken transaction for its end.
   */
  private Duration timeout() {
    return config
        .windows()
        .size()
        .plus(config.windows().grace())
        .plus(config.windows().idleTimeout())
        .plus(MARGIN);
  }

  private void requireAlive(StreamsApplication application) {
    postgres.ifPresent(DemoPostgres::requireAlive);
    if (application.ended().isDone()) {
      throw new IllegalStateException(
          "the application ended: " + application.ended().join().orElse("nobody asked it to"));
    }
  }
}
