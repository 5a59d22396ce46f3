package io.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.internal.json.SummaryJson;
import io.weir.lab.EmbeddedKafka;
import io.weir.topic.LatestForm;
import io.weir.v1.WindowKey;
import io.weir.v1.WindowSummary;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The table of docs/consumers.md in Flink SQL, where {@code mvn -f src/peers/sql package} was run.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class FlinkSqlTest {
  private static final Path PEER = Path.of("target/peers-sql");

  @TempDir private Path dir;

  /** Of two windows of a sensor both, each with its last committed revision. */
  @ParameterizedTest
  @EnumSource(LatestForm.class)
  void upsertTable_hasTheLastSummaryOfEachWindow(LatestForm form) throws Exception {
    assumeTrue(Files.isDirectory(PEER.resolve("dependency")), "no Flink in " + PEER);
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic("weir.latest", 3, (short) 1))).all().get();
      fill(kafka.bootstrapServers(), form);

      Tool.Ended ended = Tool.run(flink(kafka.bootstrapServers(), form), "");

      assertThat(ended.status()).as(ended.err()).isZero();
      assertThat(ended.out().lines().filter(line -> line.startsWith("row ")))
          .containsExactly(
              "row +I[a, 0, 2, 1.5]", "row +I[a, 10000, 1, 0.5]", "row +I[b, 0, 1, 0.5]");
    }
  }

  private static void fill(String bootstrapServers, LatestForm form) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers, "transactional.id", "weir");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(latest(window("a", 0, 1), form));
      producer.send(latest(window("a", 10_000, 1), form));
      producer.send(latest(window("b", 0, 1), form));
      producer.commitTransaction();
      producer.beginTransaction();
      producer.send(latest(window("a", 0, 2), form));
      producer.commitTransaction();
      producer.beginTransaction();
      producer.send(latest(window("b", 0, 7), form));
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

  private static ProducerRecord<byte[], byte[]> latest(WindowSummary window, LatestForm form) {
    byte[] sensor = window.getSensorId().getBytes(StandardCharsets.UTF_8);
    boolean json = form == LatestForm.JSON;
    return new ProducerRecord<>(
        "weir.latest",
        sensor[0] % 3,
        json
            ? SummaryJson.key(sensor, window.getWindowStartMs(), window.getWindowEndMs())
            : WindowKey.newBuilder()
                .setSensorId(window.getSensorId())
                .setWindowStartMs(window.getWindowStartMs())
                .setWindowEndMs(window.getWindowEndMs())
                .build()
                .toByteArray(),
        json ? SummaryJson.value(window.toByteArray()) : window.toByteArray());
  }

  /** To the end of a block of code. */
  private static String from(String page, String start) {
    String from = page.substring(page.indexOf(start));
    return from.contains("```") ? from.substring(0, from.indexOf("```")) : from;
  }

  private List<String> flink(String bootstrapServers, LatestForm form) throws Exception {
    String page = Files.readString(Path.of("docs/consumers.md"));
    String table = from(page, "CREATE TABLE windows");
    if (form == LatestForm.PROTOBUF) {
      table =
          table.replace(from(table, "  'key.format'"), from(page, "  'key.format' = 'protobuf'"));
    }
    table =
        table
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
        classPath(PEER),
        "io.weir.peers.sql.FlinkSql",
        sql.toString());
  }

  /** Weir's messages with their own protobuf first. */
  static String classPath(Path peer) {
    String protobuf =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(jar -> jar.contains("protobuf-java"))
            .collect(Collectors.joining(File.pathSeparator));
    return String.join(
        File.pathSeparator,
        protobuf,
        "target/classes",
        peer.resolve("classes").toString(),
        peer.resolve("dependency").resolve("*").toString());
  }
}
