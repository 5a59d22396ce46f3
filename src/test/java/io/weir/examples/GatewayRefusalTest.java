package io.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.lab.EmbeddedKafka;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A batch that the topic refuses as too large, to the gateways in src/examples: it costs no other
 * partition, is tried with pauses that grow, and goes once the topic takes it, though no line comes
 * that would wake the gateway.
 */
@Timeout(300)
class GatewayRefusalTest {
  private static final String TOPIC = TopicNames.DEFAULT.readings();
  private static final String HEAVY = "heavy";
  private static final int LIGHT = 20;

  /** The shortest pauses: 50 ms doubled up to 5 s. */
  private static final long FIRST_PAUSE_MS = 50;

  private static final long LONGEST_PAUSE_MS = 5_000;

  @TempDir private Path dir;

  @Test
  void pythonGateway_holdsOnePartition_andGoesOnByItself() throws Exception {
    check(GatewayPrograms.python(dir));
  }

  @Test
  void nodeGateway_holdsOnePartition_andGoesOnByItself() throws Exception {
    check(GatewayPrograms.node());
  }

  private void check(List<String> program) throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
      takeUpTo(admin, 1_000);
      Process gateway = start(program, kafka);
      try (OutputStream in = gateway.getOutputStream()) {
        in.write(heavyLines());
        in.flush();
        long startNanos = System.nanoTime();
        for (int number = 0; number < LIGHT; number++) {
          in.write(line(lightSensor(number), 1, 1));
          in.flush();
          awaitRecord(admin, SensorPartition.of(lightSensor(number)));
        }
        assertThat(records(admin).get(SensorPartition.of(HEAVY))).isZero();
        awaitRefusals(2);
        assertThat(refusals()).isLessThanOrEqualTo(mostTries(startNanos));

        takeUpTo(admin, 1_000_000);
        awaitRecord(admin, SensorPartition.of(HEAVY));
      }
      assertThat(gateway.waitFor()).as(said()).isZero();
    }
  }

  private Process start(List<String> program, EmbeddedKafka kafka) throws IOException {
    List<String> command = new ArrayList<>(program);
    command.addAll(
        List.of(
            "--gateway-id=refused",
            "--outbox=" + dir.resolve("outbox"),
            "--bootstrap-servers=" + kafka.bootstrapServers()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    return builder.redirectError(dir.resolve("said").toFile()).start();
  }

  /** Tries since that time where each pause is as short as it may be; one for a shared request. */
  private static long mostTries(long startNanos) {
    long leftMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    long tries = 2;
    for (long pauseMs = FIRST_PAUSE_MS;
        leftMs > 0;
        pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs)) {
      leftMs -= pauseMs;
      tries++;
    }
    return tries;
  }

  private void awaitRefusals(long least) throws IOException {
    Await.until(() -> refusals() >= least);
  }

  private long refusals() throws IOException {
    return said().lines().filter(line -> line.matches("partition .*|not acknowledged.*")).count();
  }

  private String said() throws IOException {
    return Files.readString(dir.resolve("said"));
  }

  /** Values that no compression makes small. */
  private static byte[] heavyLines() {
    Random random = new Random(7);
    StringBuilder lines = new StringBuilder();
    for (int i = 1; i <= 900; i++) {
      lines.append(new String(line(HEAVY, i, random.nextDouble()), StandardCharsets.UTF_8));
    }
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] line(String sensor, int timestampMs, double value) {
    return "{\"sensor_id\":\"%s\",\"timestamp_ms\":%d,\"value\":%s}\n"
        .formatted(sensor, timestampMs, value)
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Each in a partition of its own, and none in the heavy one's. */
  private static String lightSensor(int number) {
    int partition = (SensorPartition.of(HEAVY) + 1 + number) % SensorPartition.COUNT;
    int i = 0;
    while (SensorPartition.of("light-" + i) != partition) {
      i++;
    }
    return "light-" + i;
  }

  private static void awaitRecord(Admin admin, int partition) throws Exception {
    Await.until(() -> records(admin).get(partition) != 0);
  }

  /** How many records each partition has. */
  private static Map<Integer, Long> records(Admin admin) throws Exception {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      ends.put(new TopicPartition(TOPIC, partition), OffsetSpec.latest());
    }
    Map<Integer, Long> records = new HashMap<>();
    admin
        .listOffsets(ends)
        .all()
        .get()
        .forEach((partition, end) -> records.put(partition.partition(), end.offset()));
    return records;
  }

  private static void takeUpTo(Admin admin, int bytes) throws Exception {
    ConfigEntry limit = new ConfigEntry("max.message.bytes", Integer.toString(bytes));
    admin
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, TOPIC),
                List.of(new AlterConfigOp(limit, AlterConfigOp.OpType.SET))))
        .all()
        .get();
  }
}
