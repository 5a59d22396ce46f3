package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Committed;
import io.weir.edge.PublisherSettings;
import io.weir.edge.ReadingPublisher;
import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * All brokers are killed and stay down, while {@code weir run} has 12 threads and the chart's
 * session timeout, and 200 sensors send once a second: 40 seconds, or as long as {@code
 * -Dweir.outage.minutes} says. Prints what the probes and the alerts said, and how soon the first
 * window came.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class OutageTest {
  private static final int SENSORS = 200;
  private static final int THREADS = 12;
  private static final Integer MINUTES = Integer.getInteger("weir.outage.minutes");
  private static final Duration OUTAGE =
      MINUTES == null ? Duration.ofSeconds(40) : Duration.ofMinutes(MINUTES);

  /** As the settings have it, but for the short run. */
  private static final String COMMIT_TOLERANCE = MINUTES == null ? "20s" : "90s";

  @TempDir private Path dir;
  private final int port = freePort();
  private final String bootstrapServers = "127.0.0.1:" + port;
  private final long testStartNanos = System.nanoTime();
  private final List<AlertWatch> alerts =
      List.of(AlertWatch.of("WeirStuck"), AlertWatch.of("WeirNotReady"));

  @Test
  void brokersThatWereAway_areGoneOnWith_byTheSameThreads() throws Exception {
    WeirProcess broker = startBroker("broker-0");
    try {
      createTopics();
      try (ReadingPublisher fleet =
              ReadingPublisher.start(
                  PublisherSettings.builder("fleet").bootstrapServers(bootstrapServers).build());
          WeirProcess weir = startWeir()) {
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        clock.scheduleAtFixedRate(() -> speak(fleet), 0, 1, TimeUnit.SECONDS);
        weir.awaitReady();
        weir.await("committing", () -> weir.metric("weir_commits_total") > 2 * THREADS);

        broker.kill();
        long killedMs = nowMs();
        watch(weir, killedMs);
        broker = startBroker("broker-1");
        long backMs = System.currentTimeMillis();
        weir.await("ready again", () -> weir.status("/readyz") == 200);
        double readyS = (System.currentTimeMillis() - backMs) / 1000.0;
        weir.await("aggregating again", () -> firstWindow(backMs) < Long.MAX_VALUE);
        double windowS = (firstWindow(backMs) - backMs) / 1000.0;
        weir.await("owner of all", () -> weir.metric("weir_partitions") == SensorPartition.COUNT);
        System.err.printf(
            "outage of %d s: ready again after %.1f s, first window %.1f s after the broker's"
                + " return, %.0f threads died%n",
            OUTAGE.toSeconds(), readyS, windowS, weir.metric("weir_threads_died_total"));
        lookAtAlerts(weir, killedMs);
        System.err.printf(
            "alerts, from the kill on: %s; the broker was back after %.0f s, the test looked last"
                + " after %.0f s%n",
            alerts, OUTAGE.toMillis() / 1000.0, (nowMs() - killedMs) / 1000.0);
        AlertWatch stuck = alerts.get(0);
        if (OUTAGE.toMinutes() > 4) {
          assertThat(stuck.hasFired()).isTrue();
        }
        assertThat(stuck.hasFired()).as("fired and ended").isEqualTo(stuck.hasEnded());
        assertThat(weir.metric("weir_threads_alive")).isEqualTo(THREADS);
        assertThat(windowS).isLessThan(120); // A few seconds, on a machine with nothing else to do.
        clock.shutdownNow();
        assertThat(weir.terminate()).isZero();
      }
    } finally {
      broker.close();
    }
  }

  /** Lets the outage last, and holds what the probes say. */
  private void watch(WeirProcess weir, long startMs) throws InterruptedException {
    long notReadyMs = -1;
    String said = "";
    for (long ms = 0; ms < OUTAGE.toMillis(); ms = nowMs() - startMs) {
      assertThat(weir.endsWithin(Duration.ofSeconds(1))).as(weir.log()).isFalse();
      assertThat(weir.status("/livez")).isEqualTo(200);
      lookAtAlerts(weir, startMs);
      if (notReadyMs < 0 && weir.status("/readyz") == 503) {
        notReadyMs = ms;
        said = weir.get("/readyz", "*/*").orElseThrow().body().strip();
      }
    }
    System.err.printf(
        "/readyz: 503 after %.1f s (%s); weir_commit_age_seconds at the end: %.0f%n",
        notReadyMs / 1000.0, said, weir.metric("weir_commit_age_seconds"));
    assertThat(said).containsPattern("(nothing committed|owns no partition) for \\d+ s");
    assertThat(weir.metric("weir_commit_age_seconds")).isGreaterThan(OUTAGE.toSeconds() - 15);
  }

  /** As Prometheus would, each second. */
  private void lookAtAlerts(WeirProcess weir, long startMs) {
    alerts.forEach(alert -> alert.see(weir.metric(alert.metric()), nowMs() - startMs));
  }

  private long nowMs() {
    return (System.nanoTime() - testStartNanos) / 1_000_000;
  }

  private void speak(ReadingPublisher fleet) {
    long nowMs = System.currentTimeMillis();
    for (int sensor = 0; sensor < SENSORS; sensor++) {
      fleet.offer(new Reading("sensor-" + sensor, nowMs, sensor));
    }
  }

  /** When the first window since then became readable; {@link Long#MAX_VALUE} for never. */
  private long firstWindow(long sinceMs) {
    return Committed.of(bootstrapServers, List.of(TopicNames.DEFAULT.windows())).stream()
        .mapToLong(window -> window.timestamp())
        .filter(appendMs -> appendMs >= sinceMs)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private void createTopics() {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
    }
  }

  private WeirProcess startBroker(String name) throws IOException {
    Path log = dir.resolve(name + ".log");
    WeirProcess broker =
        WeirProcess.start(
            log,
            Map.of(),
            List.of(
                "-Xmx384m",
                "io.weir.cli.Weir",
                "broker",
                "--port",
                Integer.toString(port),
                "--data",
                dir.resolve("data").toString()));
    broker.await("up", () -> broker.log().contains(bootstrapServers));
    return broker;
  }

  private WeirProcess startWeir() throws IOException {
    Map<String, String> environment = new HashMap<>();
    environment.put("WEIR_BOOTSTRAP_SERVERS", bootstrapServers);
    environment.put("WEIR_INSTANCE_ID", "weir-0");
    environment.put("WEIR_STATE_DIR", dir + "/state");
    environment.put("WEIR_THREADS", Integer.toString(THREADS));
    environment.put("WEIR_WINDOW_SIZE", "1s");
    environment.put("WEIR_WINDOW_GRACE", "100ms");
    environment.put("WEIR_READY_COMMIT_TOLERANCE", COMMIT_TOLERANCE);
    environment.put("KAFKA_CONSUMER_SESSION_TIMEOUT_MS", "120000");
    return WeirProcess.start(dir.resolve("weir.log"), environment);
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
