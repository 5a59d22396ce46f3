package io.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.connect.WindowConverter;
import io.weir.topic.TopicNames;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.connect.data.Schema;
import org.junit.jupiter.api.Test;

/** The configuration of a JDBC sink has the keys that there are. */
class ConnectExampleTest {
  /** Of any sink: Kafka 4.3, {@code SinkConnectorConfig.configDef()} of connect-runtime. */
  private static final Set<String> SINK =
      Set.of(
          "name",
          "connector.class",
          "tasks.max",
          "topics",
          "key.converter",
          "value.converter",
          "errors.tolerance");

  /** Of the connector: {@code io.confluent.connect.jdbc.sink.JdbcSinkConfig}, and its page. */
  private static final Set<String> JDBC =
      Set.of(
          "connection.url",
          "connection.user",
          "connection.password",
          "table.name.format",
          "auto.create",
          "auto.evolve",
          "insert.mode",
          "pk.mode",
          "pk.fields",
          "delete.enabled",
          "max.retries",
          "retry.backoff.ms");

  @Test
  void jdbcSink_hasKeysThatThereAre() throws IOException {
    Properties sink = sink();
    Set<String> consumerKeys = ConsumerConfig.configNames();
    Set<String> unknown =
        sink.stringPropertyNames().stream()
            .filter(key -> !SINK.contains(key) && !JDBC.contains(key))
            .filter(key -> !isConsumers(key, consumerKeys))
            .collect(Collectors.toSet());
    assertThat(unknown).isEmpty();
  }

  @Test
  void jdbcSink_readsWhatWasCommitted_andKeepsOneRowAWindow() throws IOException {
    Properties sink = sink();
    assertThat(sink)
        .containsEntry("topics", TopicNames.DEFAULT.windows())
        .containsEntry("consumer.override.isolation.level", "read_committed")
        .containsEntry("insert.mode", "upsert")
        .containsEntry("pk.mode", "record_value");
    WindowConverter converter = new WindowConverter();
    byte[] window = WindowSummary.newBuilder().setSensorId("a").build().toByteArray();
    Schema schema = converter.toConnectData("t", window).schema();
    assertThat(sink).containsEntry("value.converter", WindowConverter.class.getName());
    assertThat(sink.getProperty("pk.fields").split(","))
        .containsExactly("sensor_id", "window_start", "window_end")
        .allMatch(name -> schema.field(name) != null);
  }

  private static boolean isConsumers(String key, Set<String> consumerKeys) {
    String prefix = "consumer.override.";
    return key.startsWith(prefix) && consumerKeys.contains(key.substring(prefix.length()));
  }

  private static Properties sink() throws IOException {
    Properties sink = new Properties();
    try (Reader in =
        Files.newBufferedReader(Path.of("src/examples/connect/windows-jdbc-sink.properties"))) {
      sink.load(in);
    }
    return sink;
  }
}
