package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.Await;
import io.weir.lab.EmbeddedKafka;
import io.weir.lab.chaos.FlakyLink;
import io.weir.lab.chaos.Mosquitto;
import io.weir.lab.chaos.MqttSender;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code weir edge --mqtt} as a process, with Debian's Mosquitto. {@code -Dweir.mosquitto.rounds=20
 * -Dweir.mosquitto.messages=20000} is the long form.
 */
@Timeout(1_800)
class MosquittoTest {
  private static final int ROUNDS = Integer.getInteger("weir.mosquitto.rounds", 2);
  private static final int MESSAGES = Integer.getInteger("weir.mosquitto.messages", 4_000);

  /** The spool is full so often. */
  private static final int FULL = 2;

  private static final int FULL_BYTES = 1 << 20;

  /** A spool that is full forgets what was delivered: here it keeps all that may be repeated. */
  private static final int BYTES = 1 << 30;

  private static final int READINGS = 400_000 / MESSAGES;

  /** A sensor has fewer readings in flight than the edge remembers. */
  private static final int GROUPS = 20;

  private static final long START_MS = 1_700_000_000_000L;

  private static final long SEED = Long.getLong("weir.seed", new Random().nextLong());

  private final HttpClient client = HttpClient.newHttpClient();
  private Process edge;
  private int edgePort;

  @TempDir private Path dir;

  @AfterEach
  void stop() throws Exception {
    kill(edge);
  }

  /**
   * Each round cuts the connection in the middle of the messages, restarts Mosquitto and kills the
   * edge. In two more the edge finds no Kafka until its spool is full. Each message that the
   * publisher saw acknowledged counts once.
   */
  @Test
  void eachAcknowledgedMessageCountsOnce_overCutsRestartsKillsAndAFullSpool() throws Exception {
    assumeTrue(Mosquitto.isInstalled(), "no " + Mosquitto.PROGRAM + " (Debian: mosquitto)");
    Random random = new Random(SEED);
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        Mosquitto mosquitto = new Mosquitto(dir);
        FlakyLink between = FlakyLink.between(0, mosquitto.port());
        MqttSender publisher =
            new MqttSender(mosquitto.port(), "plant/line-7", MosquittoTest::payload);
        TopicReadings readings = new TopicReadings(kafka.bootstrapServers())) {
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
        new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
      }
      mosquitto.start();
      for (int i = 0; i < FULL; i++) {
        startEdge("127.0.0.1:" + FlakyLink.freePort(), between.port(), FULL_BYTES);
        while (get("/readyz").statusCode() == 200) {
          publisher.publish(50);
        }
        assertThat(get("/readyz").body()).startsWith("suspended");
        kill(edge);
        startEdge(kafka.bootstrapServers(), between.port(), BYTES);
        Await.until(() -> get("/readyz").statusCode() == 200);
        assertThat(get("/readyz").body()).startsWith("accepts");
        int sent = publisher.publish(0);
        Await.until(() -> readings.counts().size() >= sent * READINGS);
        stopEdge();
      }
      int rest = Math.max(3 * ROUNDS * 50, MESSAGES - publisher.publish(0));
      int each = rest / (3 * ROUNDS);
      IntUnaryOperator bytes = most -> 1 + random.nextInt(most);
      for (int round = 0; round < ROUNDS; round++) {
        startEdge(kafka.bootstrapServers(), between.port(), BYTES);
        during(publisher, each, between, bytes, () -> cut(between));
        during(publisher, each, between, bytes, () -> restart(mosquitto));
        during(publisher, each, between, bytes, () -> kill(edge));
      }
      startEdge(kafka.bootstrapServers(), between.port(), BYTES);
      int messages = publisher.publish(Math.max(0, MESSAGES - publisher.publish(0)));
      assertThat(messages).isGreaterThanOrEqualTo(MESSAGES);
      Await.until(() -> readings.counts().size() >= messages * READINGS);
      stopEdge();

      Map<String, Integer> counts = readings.counts();
      assertThat(counts.entrySet().stream().filter(reading -> reading.getValue() != 1).limit(5))
          .as("seed %d (-Dweir.seed), readings that count twice", SEED)
          .isEmpty();
      assertThat(counts).as("seed %d", SEED).hasSize(messages * READINGS);
    }
  }

  /** An action. */
  private interface Event {
    void happen() throws Exception;
  }

  /** While messages are published, something happens when some of their bytes have come. */
  private static void during(
      MqttSender publisher, int messages, FlakyLink between, IntUnaryOperator bytes, Event event)
      throws Exception {
    long from = between.bytesToClients() + bytes.applyAsInt(messages * READINGS * 10);
    CompletableFuture<Integer> published =
        CompletableFuture.supplyAsync(() -> publisher.publish(messages));
    Await.until(() -> between.bytesToClients() >= from);
    event.happen();
    published.get();
  }

  private static void cut(FlakyLink link) {
    link.cut();
    link.heal();
  }

  private static void restart(Mosquitto mosquitto) {
    mosquitto.stop();
    mosquitto.start();
  }

  /** Random values take their place in the spool. */
  private static String payload(int message) {
    Random values = new Random(SEED + message);
    StringBuilder json = new StringBuilder("[");
    for (int i = 0; i < READINGS; i++) {
      json.append(i == 0 ? "" : ",").append("{\"sensor_id\":\"s").append(message % GROUPS);
      json.append('/').append(i).append("\",\"timestamp_ms\":").append(START_MS + message);
      json.append(",\"value\":").append(values.nextDouble()).append('}');
    }
    return json.append(']').toString();
  }

  private void startEdge(String kafka, int broker, int spoolBytes) throws Exception {
    edgePort = FlakyLink.freePort();
    ProcessBuilder builder =
        WeirProcess.builder(
            "edge",
            "--mqtt",
            "mqtt://127.0.0.1:" + broker,
            "--mqtt-topics",
            "plant/#",
            "--gateway-id",
            "line-7",
            "--spool-dir",
            dir.resolve("spool").toString(),
            "--bootstrap-servers",
            kafka);
    builder.environment().put("WEIR_SPOOL_MAX_BYTES", Integer.toString(spoolBytes));
    builder.environment().put("WEIR_EDGE_HTTP_PORT", Integer.toString(edgePort));
    edge = builder.redirectErrorStream(true).redirectOutput(log("edge.txt")).start();
    Await.until(this::isConnected);
  }

  private void stopEdge() throws InterruptedException {
    edge.toHandle().destroy();
    assertThat(edge.waitFor()).as("the exit status after SIGTERM").isZero();
  }

  private boolean isConnected() throws Exception {
    if (!edge.isAlive()) {
      throw new AssertionError(Files.readString(dir.resolve("edge.txt")));
    }
    try {
      return get("/metrics").body().contains("\nweir_mqtt_connected 1.0");
    } catch (IOException notYet) {
      return false;
    }
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + edgePort + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private ProcessBuilder.Redirect log(String name) {
    return ProcessBuilder.Redirect.appendTo(dir.resolve(name).toFile());
  }

  private static void kill(Process process) throws InterruptedException {
    if (process != null) {
      process.destroyForcibly().waitFor();
    }
  }
}
