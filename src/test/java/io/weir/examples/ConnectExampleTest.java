package io.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;
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
          "errors.tolerance",
          "transforms",
          "transforms.columns.type",
          "transforms.columns.exclude");

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
            .filter(key -> !key.equals("value.converter.schema.registry.url"))
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
    Set<String> fields =
        WindowSummary.getDescriptor().getFields().stream()
            .map(field -> field.getName())
            .collect(Collectors.toSet());
    assertThat(sink.getProperty("pk.fields").split(","))
        .containsExactly("sensor_id", "window_start_ms", "window_end_ms")
        .allMatch(fields::contains);
  }

  /** The connector's types are those of columns: a struct or a list stops the task. */
  @Test
  void jdbcSink_leavesOutWhatNoColumnHolds() throws IOException {
    assertThat(sink().getProperty("transforms.columns.exclude").split(","))
        .containsExactlyInAnyOrderElementsOf(
            WindowSummary.getDescriptor().getFields().stream()
                .filter(f -> f.isRepeated() || f.getJavaType() == FieldDescriptor.JavaType.MESSAGE)
                .map(FieldDescriptor::getName)
                .toList());
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
