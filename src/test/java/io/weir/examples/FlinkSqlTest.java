package io.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.internal.json.SummaryJson;
import io.weir.lab.EmbeddedKafka;
import io.weir.v1.WindowSummary;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The table of docs/consumers.md in Flink SQL, where {@code mvn -f src/peers/sql package} was run.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class FlinkSqlTest {
  private static final Path PEER = Path.of("target/peers-sql");

  @TempDir private Path dir;

  /** Of two windows of a sensor both, each with its last committed revision. */
  @Test
  void upsertTable_hasTheLastSummaryOfEachWindow() throws Exception {
    assumeTrue(Files.isDirectory(PEER.resolve("dependency")), "no Flink in " + PEER);
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic("weir.latest", 3, (short) 1))).all().get();
      fill(kafka.bootstrapServers());

      Tool.Ended ended = Tool.run(flink(kafka.bootstrapServers()), "");

      assertThat(ended.status()).as(ended.err()).isZero();
      assertThat(ended.out().lines().filter(line -> line.startsWith("row ")))
          .containsExactly(
              "row +I[a, 0, 2, 1.5]", "row +I[a, 10000, 1, 0.5]", "row +I[b, 0, 1, 0.5]");
    }
  }

  private static void fill(String bootstrapServers) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers, "transactional.id", "weir");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(latest(window("a", 0, 1)));
      producer.send(latest(window("a", 10_000, 1)));
      producer.send(latest(window("b", 0, 1)));
      producer.commitTransaction();
      producer.beginTransaction();
      producer.send(latest(window("a", 0, 2)));
      producer.commitTransaction();
      producer.beginTransaction();
      producer.send(latest(window("b", 0, 7)));
      producer.flush();
      producer.abortTransaction();
    }
  }

  private static WindowSummary window(String sensor, long startMs, int count) {
    return WindowSummary.newBuilder()
        .setSensorId(sensor)
        .setWindowStartMs(startMs)
        .setWindowEndMs(startMs + 10_000)
        .setCount(count)
        .setMean(count - 0.5)
        .build();
  }

  private static ProducerRecord<byte[], byte[]> latest(WindowSummary window) {
    byte[] sensor = window.getSensorId().getBytes(StandardCharsets.UTF_8);
    return new ProducerRecord<>(
        "weir.latest",
        sensor[0] % 3,
        SummaryJson.key(sensor, window.getWindowStartMs(), window.getWindowEndMs()),
        SummaryJson.value(window.toByteArray()));
  }

  private List<String> flink(String bootstrapServers) throws Exception {
    String page = Files.readString(Path.of("docs/consumers.md"));
    String from = page.substring(page.indexOf("CREATE TABLE windows"));
    String table =
        from.substring(0, from.indexOf("```"))
            .replace("localhost:9092", bootstrapServers)
            .replace("'value.format'", "'scan.bounded.mode' = 'latest-offset', 'value.format'");
    Path sql =
        Files.writeString(
            dir.resolve("windows.sql"),
            table + "SELECT sensor_id, window_start_ms, `count`, mean FROM windows");
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "--add-opens=java.base/java.util=ALL-UNNAMED",
        "-cp",
        PEER.resolve("classes") + File.pathSeparator + PEER.resolve("dependency").resolve("*"),
        "io.weir.peers.sql.FlinkSql",
        sql.toString());
  }
}
