package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.EmbeddedKafka;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir edge --listen} as a process that is killed while a client sends and repeats. */
@Timeout(300)
class EdgeInputsOnKafkaTest {
  private static final Pattern PORT = Pattern.compile("port (\\d+)");
  private static final long START_MS = 1_700_000_000_000L;

  private final HttpClient client = HttpClient.newHttpClient();

  @TempDir private Path dir;

  /**
   * The client sends again what was not answered, and also some of what was: each reading is on the
   * topic once. One batch may be there twice under its own sequence, which Weir recognises.
   */
  @Test
  void killedAndRepeated_eachReadingIsThereOnce() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
        new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
      }
      int bodies = 0;
      for (int start = 0; start < 3; start++) {
        Process edge = edge(kafka.bootstrapServers());
        try {
          int port = port(edge);
          if (bodies > 0) {
            assertThat(write(port, bodies - 1)).as("a repeat over the kill").isEqualTo(204);
          }
          for (int i = 0; i < 20; i++) {
            assertThat(write(port, bodies)).isEqualTo(204);
            assertThat(write(port, bodies - bodies % 7)).as("a repeat").isEqualTo(204);
            bodies++;
          }
        } finally {
          edge.destroyForcibly().waitFor();
        }
      }
      Process last = edge(kafka.bootstrapServers());
      port(last);
      last.toHandle().destroy();
      assertThat(last.waitFor()).as("the exit status after SIGTERM").isZero();

      Map<String, Integer> counts = counts(kafka.bootstrapServers());
      // Ten readings of each sensor in one millisecond, at ten nanoseconds with one value.
      assertThat(counts).hasSize(bodies * 10);
      assertThat(counts.values()).containsOnly(10);
    }
  }

  private int write(int port, int body) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      long nanos = (START_MS + body) * 1_000_000 + i * 1_000;
      lines.append("m,sensor=s").append(i % 10).append(" v=").append(body).append(' ');
      lines.append(nanos).append('\n');
    }
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/write?db=telegraf"))
            .POST(HttpRequest.BodyPublishers.ofString(lines.toString()))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  private Process edge(String servers) throws IOException {
    return new ProcessBuilder(
            WeirProcess.command(
                "edge",
                "--listen",
                "127.0.0.1:0",
                "--gateway-id",
                "line-7",
                "--spool-dir",
                dir.resolve("spool").toString(),
                "--influx-sensor-id",
                "{tag:sensor}",
                "--bootstrap-servers",
                servers))
        .start();
  }

  private static int port(Process edge) throws IOException {
    BufferedReader said = edge.errorReader();
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      Matcher port = PORT.matcher(line);
      if (port.find()) {
        return Integer.parseInt(port.group(1));
      }
    }
    throw new AssertionError("the edge does not listen");
  }

  /** How often each reading is on the topic; records with a sequence that was there count once. */
  private static Map<String, Integer> counts(String servers) throws Exception {
    Map<String, Integer> counts = new TreeMap<>();
    Set<String> sequences = new HashSet<>();
    Map<String, Object> settings =
        Map.of("bootstrap.servers", servers, "isolation.level", "read_committed");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          IntStream.range(0, 64).mapToObj(p -> new TopicPartition("weir.readings", p)).toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long left = consumer.endOffsets(partitions).values().stream().mapToLong(end -> end).sum();
      while (left > 0) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
          left--;
          ReadingBatch batch = ReadingBatch.parseFrom(record.value());
          String sequence =
              record.partition() + "/" + batch.getBootId() + "/" + batch.getSequence();
          if (sequences.add(sequence)) {
            batch.getSeriesList().forEach(series -> count(series, counts));
          }
        }
      }
    }
    return counts;
  }

  /** By milliseconds: the topic has no nanoseconds. */
  private static void count(Series series, Map<String, Integer> counts) {
    long timestampMs = series.getStartTimestampMs();
    for (int i = 0; i < series.getValueCount(); i++) {
      timestampMs += series.getTimestampDeltaMs(i);
      String reading = series.getSensorId() + "@" + timestampMs + "=" + series.getValue(i);
      counts.merge(reading, 1, Integer::sum);
    }
  }
}
