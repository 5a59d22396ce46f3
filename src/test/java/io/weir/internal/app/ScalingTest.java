package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Committed;
import io.weir.internal.ops.Metric;
import io.weir.internal.ops.StreamsMetric;
import io.weir.lab.EmbeddedKafka;
import io.weir.lab.GroupLag;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes come and go while readings flow, as a supervisor makes them: 1, then 4, one of which
 * freezes and is replaced, then 2, then none. Sixteen threads each: with four, a thread has one
 * partition. What it costs is printed; what is asserted is that every partition is always
 * somebody's in the end, and that no window notices.
 */
@EnabledIfSystemProperty(
    named = "weir.scaling",
    matches = "true",
    disabledReason = "takes three minutes: mvn -B test -Dtest=ScalingTest -Dweir.scaling=true")
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class ScalingTest {
  private static final long SEED = Long.getLong("weir.seed", new Random().nextLong());
  private static final int THREADS = 16;
  private static final String SECRET = "hunter2-of-the-truststore";
  private static final String PAYLOAD = "payload-that-nobody-may-log";

  @TempDir private Path dir;
  private final Map<String, WeirProcess> processes = new LinkedHashMap<>();
  private final Map<String, long[]> phases = new LinkedHashMap<>();
  private final List<WeirProcess> all = new ArrayList<>();
  private String bootstrapServers;
  private long phaseStartMs;

  @Test
  void processesThatComeAndGo_ownEveryPartition_andNoWindowNotices() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      bootstrapServers = kafka.bootstrapServers();
      new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
      try (BrokerTraffic traffic =
          new BrokerTraffic(bootstrapServers, WindowSpecs.of(windows()), SEED)) {
        traffic.sendPoison(3, PAYLOAD.getBytes());
        TrafficFlow flow = new TrafficFlow(traffic);
        try {
          scale();
        } finally {
          flow.stop();
        }
        traffic.awaitFound();
        stop(List.copyOf(processes.keySet()));
        assertThat(new GroupLag(admin, "weir", TopicNames.DEFAULT.readings()).records())
            .isLessThanOrEqualTo(64);
        traffic.check();
        OutputGaps gaps =
            new OutputGaps(Committed.of(bootstrapServers, List.of(TopicNames.DEFAULT.windows())));
        phases.forEach((name, at) -> System.err.println(gaps.describe(name, at[0], at[1])));
      }
    } catch (AssertionError e) {
      throw new AssertionError("seed " + SEED + " (-Dweir.seed=" + SEED + ")", e);
    } finally {
      all.forEach(WeirProcess::close);
    }
    for (WeirProcess process : all) {
      assertThat(process.log()).doesNotContain(SECRET).doesNotContain(PAYLOAD);
    }
  }

  private void scale() throws IOException, InterruptedException {
    start("weir-0");
    awaitOwners(Map.of("weir-0", SensorPartition.COUNT));
    begin();
    start("weir-1");
    start("weir-2");
    start("weir-3");
    awaitOwners(Map.of("weir-0", 16, "weir-1", 16, "weir-2", 16, "weir-3", 16));
    end("1 -> 4 processes");
    checkPages();

    begin();
    processes.get("weir-1").freeze();
    replaceWhatFailsItsLiveness();
    awaitOwners(Map.of("weir-0", 16, "weir-1", 16, "weir-2", 16, "weir-3", 16));
    end("one freezes and is replaced");

    begin();
    stop(List.of("weir-2", "weir-3"));
    awaitOwners(Map.of("weir-0", 32, "weir-1", 32));
    end("4 -> 2 processes");
  }

  /** A supervisor: three probes in a row without a yes, and there is a new one of that name. */
  private void replaceWhatFailsItsLiveness() throws IOException, InterruptedException {
    Map<String, Integer> failures = new HashMap<>();
    while (true) {
      for (String name : List.copyOf(processes.keySet())) {
        boolean live = processes.get(name).status("/livez") == 200;
        int failed = live ? 0 : failures.getOrDefault(name, 0) + 1;
        failures.put(name, failed);
        if (failed == 3) {
          assertThat(name).isEqualTo("weir-1");
          processes.get(name).kill();
          start(name);
          return;
        }
      }
    }
  }

  private void awaitOwners(Map<String, Integer> partitions) {
    partitions.forEach(
        (name, count) -> {
          WeirProcess process = processes.get(name);
          process.await(
              "owner of " + count + " partitions and ready",
              () ->
                  process.metric(StreamsMetric.PARTITIONS.prometheusName()) == count
                      && process.status("/readyz") == 200);
        });
  }

  /** What a running process shows is what the catalogue says, and no secret. */
  private void checkPages() {
    WeirProcess process = processes.get("weir-1");
    String text = process.get("/metrics", "text/plain").orElseThrow().body();
    for (Metric metric : Metric.all()) {
      if (!metric.isOfPublisher() && !metric.isOfEvents()) {
        assertThat(text).contains("\n" + metric.prometheusName());
      }
    }
    assertThat(text).contains("kafka_stream_", "kafka_consumer_", "jvm_memory_used_bytes");
    assertThat(process.metric(StreamsMetric.THREADS_ALIVE.prometheusName())).isEqualTo(THREADS);
    assertThat(process.metric("weir_state")).isEqualTo(1);
    assertThat(process.get("/metrics", "application/openmetrics-text").orElseThrow().body())
        .endsWith("# EOF\n");
    assertThat(process.get("/info", "*/*").orElseThrow().body())
        .contains("\"weir.instance.id\" : \"weir-1\"", "Sub-topology: 0")
        .doesNotContain(SECRET);
  }

  private void start(String name) throws IOException {
    Path log = dir.resolve(name + "-" + all.size() + ".log");
    WeirProcess process = WeirProcess.start(log, environment(name));
    processes.put(name, process);
    all.add(process);
  }

  /** SIGTERM to all of them at once. */
  private void stop(List<String> names) throws InterruptedException {
    for (String name : names) {
      processes.get(name).askToStop();
    }
    for (String name : names) {
      WeirProcess process = processes.remove(name);
      assertThat(process.awaitExit()).as("exit status; log:%n%s", process.log()).isZero();
    }
  }

  private void begin() {
    phaseStartMs = System.currentTimeMillis();
  }

  private void end(String phase) {
    phases.put(phase, new long[] {phaseStartMs, System.currentTimeMillis()});
  }

  private static WindowSettings windows() {
    Map<String, String> options =
        Map.of(
            "window.size", "50ms",
            "window.grace", "20ms",
            "allowed.lateness", "100ms",
            "idle.timeout", "300ms");
    return WeirConfig.of(new Properties(), Map.of(), options).windows();
  }

  private Map<String, String> environment(String name) {
    Map<String, String> environment = new HashMap<>();
    environment.put("WEIR_BOOTSTRAP_SERVERS", bootstrapServers);
    environment.put("WEIR_INSTANCE_ID", name);
    environment.put("WEIR_STATE_DIR", dir.resolve(name).toString());
    environment.put("WEIR_THREADS", Integer.toString(THREADS));
    environment.put("WEIR_WINDOW_SIZE", "50ms");
    environment.put("WEIR_WINDOW_GRACE", "20ms");
    environment.put("WEIR_ALLOWED_LATENESS", "100ms");
    environment.put("WEIR_IDLE_TIMEOUT", "300ms");
    environment.put("WEIR_LOG_FORMAT", "json");
    environment.put("KAFKA_SSL_TRUSTSTORE_PASSWORD", SECRET);
    return environment;
  }
}
