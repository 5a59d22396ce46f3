package io.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.Await;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.MessageIndexes;
import io.weir.lab.EmbeddedKafka;
import io.weir.v1.CloseReason;
import io.weir.v1.WindowSummary;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kafka Connect with the converter and a sink that writes lines, where {@code mvn -f
 * src/peers/connect package} was run.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class ConnectRuntimeTest {
  private static final Path LIBRARIES = Path.of("target/peers-connect/dependency");

  @TempDir private Path dir;

  @Test
  void worker_makesARowOfEachCommittedSummary_bareAndFramed() throws Exception {
    assumeTrue(Files.isDirectory(LIBRARIES), "no Kafka Connect in " + LIBRARIES);
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic("weir.windows", 1, (short) 1))).all().get();
      fill(kafka.bootstrapServers());
      Path rows = dir.resolve("rows");
      Path log = dir.resolve("log");

      Process worker =
          new ProcessBuilder(worker(kafka.bootstrapServers(), rows))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        Await.until(
            () -> {
              assertThat(worker.isAlive()).as(() -> text(log)).isTrue();
              return lines(rows).size() >= 2;
            });
      } finally {
        worker.destroy();
        worker.waitFor();
      }

      assertThat(lines(rows)).hasSize(2);
      for (String row : lines(rows)) {
        assertThat(row)
            .startsWith("Struct{sensor_id=boiler-3/temperature,window_start=")
            .contains("count=2,", "mean=1.5", "close_reason=EVENT_TIME", "is_final=false")
            .doesNotContain("histogram", "bad_count=7");
      }
    }
  }

  /** A bare one, one of an aborted transaction, and a framed one. */
  private static void fill(String bootstrapServers) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers, "transactional.id", "weir");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      send(producer, window(0));
      producer.commitTransaction();
      producer.beginTransaction();
      send(producer, window(7));
      producer.flush();
      producer.abortTransaction();
      producer.beginTransaction();
      send(producer, Frame.join(Frame.head(7, MessageIndexes.FIRST), window(0)));
      producer.commitTransaction();
    }
  }

  private static void send(KafkaProducer<byte[], byte[]> producer, byte[] value) {
    byte[] key = "boiler-3/temperature".getBytes(StandardCharsets.UTF_8);
    producer.send(new ProducerRecord<>("weir.windows", key, value));
  }

  private static byte[] window(int bad) {
    return WindowSummary.newBuilder()
        .setSensorId("boiler-3/temperature")
        .setWindowStartMs(1_770_076_800_000L)
        .setWindowEndMs(1_770_076_810_000L)
        .setCount(2)
        .setSum(3)
        .setMin(1)
        .setMax(2)
        .setMean(1.5)
        .setBadCount(bad)
        .setCloseReason(CloseReason.CLOSE_REASON_EVENT_TIME)
        .build()
        .toByteArray();
  }

  private List<String> worker(String bootstrapServers, Path rows) throws IOException {
    Path settings =
        Files.write(
            dir.resolve("worker.properties"),
            List.of(
                "bootstrap.servers=" + bootstrapServers,
                "key.converter=org.apache.kafka.connect.storage.StringConverter",
                "value.converter=io.weir.connect.WindowConverter",
                "listeners=http://127.0.0.1:" + freePort(),
                "offset.storage.file.filename=" + dir.resolve("offsets"),
                "offset.flush.interval.ms=1000"));
    Path sink =
        Files.write(
            dir.resolve("sink.properties"),
            List.of(
                "name=rows",
                "connector.class=org.apache.kafka.connect.file.FileStreamSinkConnector",
                "tasks.max=1",
                "topics=weir.windows",
                "consumer.override.isolation.level=read_committed",
                "errors.tolerance=none",
                "file=" + rows));
    List<String> classPath = new ArrayList<>(List.of(LIBRARIES.resolve("*").toString()));
    classPath.add("target/classes");
    Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(jar -> jar.contains("protobuf-java"))
        .forEach(classPath::add);
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-cp",
        String.join(File.pathSeparator, classPath),
        "org.apache.kafka.connect.cli.ConnectStandalone",
        settings.toString(),
        sink.toString());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
