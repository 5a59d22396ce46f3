package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaSettingsTest {
  @TempDir Path dir;

  private final List<String> warnings = new ArrayList<>();

  @Test
  void variable_thatKafkaKnows_reachesTheClientsThatKnowIt() {
    KafkaSettings kafka =
        of(Map.of("KAFKA_SECURITY_PROTOCOL", "SSL", "KAFKA_MAX_POLL_RECORDS", "7"));
    assertThat(kafka.passed())
        .isEqualTo(Map.of("security.protocol", "SSL", "max.poll.records", "7"));
    assertThat(kafka.forAdmin())
        .isEqualTo(Map.of("bootstrap.servers", "b:1", "security.protocol", "SSL"));
    assertThat(kafka.forConsumer()).containsEntry("max.poll.records", "7");
    assertThat(kafka.forProducer()).doesNotContainKey("max.poll.records");
    assertThat(warnings).isEmpty();
  }

  @Test
  void prefixedVariable_isThatClientsAlone_andWinsOverThePlainOne() {
    KafkaSettings kafka =
        of(Map.of("KAFKA_PRODUCER_RETRY_BACKOFF_MS", "5", "KAFKA_RETRY_BACKOFF_MS", "6"));
    assertThat(kafka.forProducer()).containsEntry("retry.backoff.ms", "5");
    assertThat(kafka.forConsumer()).containsEntry("retry.backoff.ms", "6");
    assertThat(kafka.passed()).containsEntry("producer.retry.backoff.ms", "5");
  }

  @Test
  void secret_comesFromItsFile() throws Exception {
    Path file = Files.writeString(dir.resolve("jaas"), "org.example.Login required;\n");
    assertThat(of(Map.of("KAFKA_SASL_JAAS_CONFIG_FILE", file.toString())).passed())
        .isEqualTo(Map.of("sasl.jaas.config", "org.example.Login required;"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"KAFKA_PORT", "KAFKA_SERVICE_HOST", "KAFKA_PORT_9092_TCP_ADDR", "KAFKA_OPTS"})
  void variable_thatKafkaDoesNotKnow_isWarnedOfAndNotPassed(String name) {
    assertThat(of(Map.of(name, "tcp://10.0.0.7:9092")).passed()).isEmpty();
    assertThat(warnings)
        .containsExactly("environment variable " + name + " is not a setting of Kafka: ignored");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "KAFKA_PROCESSING_GUARANTEE",
        "KAFKA_ISOLATION_LEVEL",
        "KAFKA_MAIN_CONSUMER_ISOLATION_LEVEL",
        "KAFKA_CONSUMER_AUTO_OFFSET_RESET",
        "KAFKA_DEFAULT_VALUE_SERDE",
        "KAFKA_KEY_SERIALIZER",
        "KAFKA_GROUP_PROTOCOL",
        "KAFKA_PRODUCER_ENABLE_IDEMPOTENCE",
        "KAFKA_TRANSACTIONAL_ID",
      })
  void variable_ofWhatWeirFixes_isRefused(String name) {
    assertThatThrownBy(() -> of(Map.of(name, "x")))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith(" = x (from " + name + "): expected: not set, Weir fixes it");
  }

  @Test
  void variable_ofWhatWeirHasAKeyFor_isRefusedWithThatKey() {
    assertThatThrownBy(() -> of(Map.of("KAFKA_BOOTSTRAP_SERVERS", "x:1")))
        .hasMessage(
            "bootstrap.servers = x:1 (from KAFKA_BOOTSTRAP_SERVERS): expected:"
                + " WEIR_BOOTSTRAP_SERVERS");
  }

  private KafkaSettings of(Map<String, String> variables) {
    return KafkaSettings.of("b:1", variables, warnings);
  }
}
