package io.weir.cli.local.demo;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.app.WeirApplication;
import io.weir.app.WeirConfig;
import io.weir.dev.Auditor;
import io.weir.dev.Balance;
import io.weir.dev.FleetRunner;
import io.weir.dev.FleetSettings;
import io.weir.dev.GroupLag;
import io.weir.dev.Ledger;
import io.weir.dev.SimulatedFleet;
import io.weir.ops.Meters;
import io.weir.topic.TopicAdmin;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.streams.KafkaStreams;

/**
 * A demo from the topics to the balance, on a cluster that is there: application, fleet and auditor
 * are started, shown, and ended in order. One thread.
 */
final class DemoRun {
  private static final long FRAME_MS = 200;
  private static final long STARTING_MS = 60_000;
  private static final Duration SENDING = Duration.ofSeconds(20);
  private static final Duration MARGIN = Duration.ofSeconds(15);

  /** A person who pressed Ctrl-C waits no longer for what is missing. */
  private static final long HURRY_MS = 40_000;

  private final WeirConfig config;
  private final FleetSettings settings;
  private final Duration duration;
  private final BooleanSupplier stopped;
  private final DemoView view;
  private WeirApplication application;
  private FleetRunner runner;
  private DemoWatch watch;

  /**
   * @param config with the cluster to use
   * @param duration how long the fleet runs
   * @param stopped whether to end before that
   */
  DemoRun(
      WeirConfig config,
      FleetSettings settings,
      Duration duration,
      BooleanSupplier stopped,
      DemoView view) {
    this.config = config;
    this.settings = settings;
    this.duration = duration;
    this.stopped = stopped;
    this.view = view;
  }

  /**
   * Runs it to its end; blocks for as long.
   *
   * @throws IllegalStateException if the application ends by itself, or does not start in time
   */
  Balance run() {
    try (Admin admin = Admin.create(config.kafka().forAdmin())) {
      new TopicAdmin(admin, config.topics()).createMissing();
      try (WeirApplication running =
          WeirApplication.start(config, new Meters(new SimpleMeterRegistry()))) {
        application = running;
        awaitRunning();
        return withFleet(admin);
      }
    }
  }

  private void awaitRunning() {
    long deadlineMs = nowMs() + STARTING_MS;
    while (application.state() != KafkaStreams.State.RUNNING && !stopped.getAsBoolean()) {
      requireAlive();
      if (nowMs() >= deadlineMs) {
        throw new IllegalStateException("the application did not start within 60 s");
      }
      pause();
    }
  }

  private Balance withFleet(Admin admin) {
    String bootstrapServers = config.kafka().forAdmin().get("bootstrap.servers").toString();
    Ledger ledger = new Ledger();
    SimulatedFleet fleet =
        SimulatedFleet.onKafka(
            settings,
            System.currentTimeMillis(),
            bootstrapServers,
            config.topics().readings(),
            ledger);
    LiveSensors sensors = new LiveSensors(fleet.sensors());
    try (FleetRunner fleetRunner = FleetRunner.start(fleet);
        Auditor auditor =
            Auditor.start(config.kafka().forConsumer(), config.topics(), sensors::add)) {
      runner = fleetRunner;
      watch =
          new DemoWatch(
              setup(),
              settings,
              fleet,
              ledger,
              auditor::tally,
              new GroupLag(admin, config.applicationId(), config.topics().readings()),
              sensors);
      return toTheEnd();
    }
  }

  private String setup() {
    return Numbers.grouped(settings.sensors())
        + " sensors, windows of "
        + Numbers.spoken(config.windows().size());
  }

  private Balance toTheEnd() {
    while (!stopped.getAsBoolean() && runner.elapsedMs() < duration.toMillis()) {
      show(DemoPhase.RUNNING);
      pause();
    }
    send();
    Balance balance = settle();
    show(DemoPhase.DONE);
    return balance;
  }

  private void send() {
    CompletableFuture<Boolean> sent = CompletableFuture.supplyAsync(() -> runner.stop(SENDING));
    while (!sent.isDone()) {
      show(DemoPhase.SENDING);
      pause();
    }
    if (!sent.join()) {
      view.say("not everything that the gateways took was acknowledged within 20 s");
    }
  }

  private Balance settle() {
    Settlement settlement = new Settlement(patience(), nowMs());
    while (true) {
      DemoSnapshot now = show(DemoPhase.SETTLING);
      if (stopped.getAsBoolean()) {
        settlement.endBy(nowMs() + HURRY_MS);
      }
      switch (settlement.observe(now.balance(), now.lagNow(), nowMs())) {
        case WAIT -> pause();
        case WHOLE -> {
          return now.balance();
        }
        case GIVEN_UP -> {
          view.say("gave up waiting: lag " + now.lagNow() + ", " + now.balance());
          return now.balance();
        }
      }
    }
  }

  /** Nothing moves while the last windows wait for their time. */
  private Duration patience() {
    return config
        .windows()
        .size()
        .plus(config.windows().grace())
        .plus(config.windows().idleTimeout())
        .plus(MARGIN);
  }

  private DemoSnapshot show(DemoPhase phase) {
    requireAlive();
    DemoSnapshot now = watch.look(phase, runner.elapsedMs());
    view.show(now);
    return now;
  }

  private void requireAlive() {
    if (application.ended().isDone()) {
      throw new IllegalStateException(
          "the application ended: " + application.ended().join().orElse("nobody asked it to"));
    }
  }

  private static void pause() {
    try {
      Thread.sleep(FRAME_MS);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static long nowMs() {
    return System.nanoTime() / 1_000_000;
  }
}
