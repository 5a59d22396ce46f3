package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.internal.app.CollectKeys;
import io.weir.internal.app.ConfigException;
import io.weir.internal.app.EdgeKeys;
import io.weir.internal.app.ImportKeys;
import io.weir.internal.app.InputKeys;
import io.weir.internal.app.InputSettings;
import io.weir.internal.app.Key;
import io.weir.internal.app.Keys;
import io.weir.internal.app.MqttKeys;
import io.weir.internal.app.RegistryKeys;
import io.weir.internal.app.ServeKeys;
import io.weir.internal.app.SinkKeys;
import io.weir.internal.app.WeirConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The chart uses existing settings, by their names, and passes them on. */
class ChartSettingsTest {
  /** What the chart sets itself, or what no pod may have otherwise. */
  private static final Set<Key<?>> NOT_IN_CONFIG =
      Stream.concat(
              // Each import has its own settings.
              ImportKeys.ALL.stream(),
              Stream.of(
                  Keys.INSTANCE_ID,
                  Keys.STATE_DIR,
                  Keys.HTTP_HOST,
                  Keys.HTTP_PROBE_PORT,
                  EdgeKeys.EDGE_HTTP_PORT,
                  EdgeKeys.GATEWAY_ID,
                  EdgeKeys.SPOOL_DIR,
                  InputKeys.LISTEN,
                  InputKeys.CLIENTS_FILE,
                  InputKeys.TLS_CERT,
                  InputKeys.TLS_KEY,
                  ServeKeys.LISTEN,
                  ServeKeys.CLIENTS_FILE))
          .collect(Collectors.toUnmodifiableSet());

  /** What a ConfigMap must not hold. */
  private static final Set<Key<?>> SECRET =
      Set.of(
          RegistryKeys.BASIC_USER_INFO,
          RegistryKeys.BEARER_TOKEN,
          SinkKeys.JDBC_PASSWORD,
          MqttKeys.PASSWORD,
          CollectKeys.JDBC_PASSWORD,
          ServeKeys.JDBC_PASSWORD);

  static List<Path> ciFiles() {
    return HelmChart.ciFiles();
  }

  @Test
  void config_takesTheSettingsThatThereAre() throws IOException {
    Set<String> taken = new TreeSet<>();
    schema().at("/properties/config/properties").fieldNames().forEachRemaining(taken::add);

    assertThat(taken)
        .isEqualTo(
            Keys.ALL.stream()
                .filter(key -> !NOT_IN_CONFIG.contains(key) && !SECRET.contains(key))
                .map(Key::propertyName)
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void secretSettings_comeFromSecretsOnly() throws IOException {
    Set<String> taken = new TreeSet<>();
    schema()
        .at("/definitions/secrets/items/properties/weir/properties")
        .fieldNames()
        .forEachRemaining(taken::add);

    assertThat(taken)
        .isEqualTo(
            SECRET.stream().map(Key::propertyName).collect(Collectors.toCollection(TreeSet::new)));
  }

  /** The bounds of numbers are the same, on both sides. */
  @Test
  void numbers_areBoundedAsWeirBoundsThem() throws IOException {
    JsonNode properties = schema().at("/properties/config/properties");
    for (Key<?> key : Keys.ALL) {
      JsonNode type = properties.path(key.propertyName());
      if (type.path("type").asText().equals("integer")) {
        for (String bound : new String[] {"minimum", "maximum"}) {
          weirWith(key, type.path(bound).asText());
        }
      }
    }
    assertThatThrownBy(() -> weirWith(Keys.THREADS, "0")).isInstanceOf(ConfigException.class);
  }

  private static WeirConfig weirWith(Key<?> key, String value) {
    Map<String, String> environment = new HashMap<>();
    if (key.equals(EdgeKeys.BATCH_MAX_READINGS)) {
      environment.put("WEIR_MAX_BATCH_READINGS", "1000000");
    } else {
      environment.put("WEIR_BATCH_MAX_READINGS", "1");
    }
    if (key.equals(Keys.MAX_DECOMPRESSED_BYTES)) {
      environment.put("WEIR_MAX_RECORD_BYTES", "1024");
    } else {
      environment.put("WEIR_MAX_DECOMPRESSED_BYTES", "1073741824");
    }
    return WeirConfig.of(new Properties(), environment, Map.of(key.name(), value));
  }

  /** With these variables Weir starts, and none of them is unknown to it. */
  @ParameterizedTest
  @MethodSource("ciFiles")
  void everyPodsVariables_areSettings(Path values, @TempDir Path secrets) {
    PodEnvironment.Pods pods = PodEnvironment.of(HelmChart.render(values));

    assertThat(pods.names()).contains("aggregator");
    for (String component : pods.names()) {
      WeirConfig config = pods.config(component, secrets);
      assertThat(config.warnings()).isEmpty();
      assertThat(config.kafka().passed()).containsKey("consumer.session.timeout.ms");
    }
    assertThat(pods.config("aggregator", secrets).instanceId())
        .hasValueSatisfying(name -> assertThat(name).matches("(weir|measuring)-0"));
  }

  @Test
  void settingsAndSecrets_reachWeir(@TempDir Path secrets) {
    WeirConfig config =
        PodEnvironment.of(HelmChart.render(HelmChart.ciFile("keda"))).config("aggregator", secrets);

    assertThat(config.applicationId()).isEqualTo("weir-plant-7");
    assertThat(config.threads()).isEqualTo(4);
    assertThat(config.windows().size()).hasSeconds(60);
    assertThat(config.limits().maxRecordBytes()).isEqualTo(1 << 20);
    assertThat(config.kafka().passed())
        .containsEntry("fetch.max.bytes", "16777216")
        .containsEntry("num.standby.replicas", "1")
        .containsEntry("sasl.jaas.config", "sasl.jaas.config of weir-kafka")
        .containsEntry("ssl.truststore.certificates", "ca.crt of kafka-ca.crt");
  }

  @Test
  void inputs_areWhatWeirListensTo(@TempDir Path secrets) {
    WeirConfig config =
        PodEnvironment.of(HelmChart.render(HelmChart.ciFile("inputs"))).config("edge", secrets);
    InputSettings input = config.input();

    assertThat(input.http().listen()).containsExactly("0.0.0.0:8086", "0.0.0.0:4318");
    assertThat(input.clientsFile()).isPresent();
    assertThat(input.http().tls()).isPresent();
    assertThat(input.mqtt())
        .hasValueSatisfying(mqtt -> assertThat(mqtt.broker().login()).isPresent());
    assertThat(input.mqtt().orElseThrow().broker().login().orElseThrow().password())
        .isEqualTo("password of broker");
    assertThat(input.sparkplug()).isPresent();
    assertThat(config.edge().spool().dir()).isPresent();
  }

  @Test
  void page_isOpenToOthers_withAClientsFile(@TempDir Path secrets) {
    WeirConfig config =
        PodEnvironment.of(HelmChart.render(HelmChart.ciFile("serve"))).config("serve", secrets);

    assertThatCode(config.serve()::requireSafe).doesNotThrowAnyException();
    assertThat(config.serve().host() + ":" + config.serve().port()).isEqualTo("0.0.0.0:8088");
  }

  /** What Weir refuses of Kafka's settings, the schema refuses, and nothing else. */
  @Test
  void kafkaSettingsThatWeirFixes_areTheSchemas() throws IOException {
    String fixed = schema().at("/properties/kafka/patternProperties").fieldNames().next();
    for (String name : KafkaNames.all()) {
      boolean refused = isRefusedByWeir(name);
      assertThat(name.matches(fixed)).as(name).isEqualTo(refused);
    }
  }

  /** Two releases on one Kafka would fence each other. */
  @Test
  void applicationId_isTheReleases(@TempDir Path secrets) {
    assertThat(PodEnvironment.of(HelmChart.render()).config("aggregator", secrets).applicationId())
        .isEqualTo(HelmChart.RELEASE);
    assertThat(HelmChart.renderWith("applicationIdWithNamespace: true"))
        .containsPattern("WEIR_APPLICATION_ID: \"[a-z]*-weir\"");
  }

  /** weir events is an application of its own, named by the release too. */
  @Test
  void eventsApplicationId_isTheReleases_unlessItIsSet(@TempDir Path secrets) {
    String events = "events: {enabled: true}\nconfig: {weir.events: true%s}\n%s";
    WeirConfig delivered =
        PodEnvironment.of(HelmChart.render(HelmChart.ciFile("events"))).config("events", secrets);

    assertThat(delivered.events().applicationId()).isEqualTo("weir-events");
    assertThat(delivered.events().isOn()).isTrue();
    assertThat(delivered.events().fold()).isPresent();
    assertThat(delivered.instanceId()).hasValue("weir-events-0");
    assertThat(eventsId(events.formatted("", "applicationIdWithNamespace: true")))
        .matches("[a-z]*-weir-events");
    assertThat(eventsId(events.formatted(", weir.events.application.id: mine", "")))
        .isEqualTo("mine");
    assertThat(HelmChart.render()).doesNotContain("WEIR_EVENTS_APPLICATION_ID");
  }

  private static String eventsId(String values) {
    return PodEnvironment.of(HelmChart.renderWith(values))
        .container("events")
        .variables()
        .get("WEIR_EVENTS_APPLICATION_ID");
  }

  /** A ConfigMap is no place for a password: what Kafka holds for one is refused there. */
  @Test
  void secretKafkaSettings_areTheSchemas() throws IOException {
    Iterator<String> patterns = schema().at("/properties/kafka/patternProperties").fieldNames();
    patterns.next();
    String secret = patterns.next();
    for (ConfigDef definition :
        List.of(
            AdminClientConfig.configDef(),
            ConsumerConfig.configDef(),
            ProducerConfig.configDef())) {
      definition
          .configKeys()
          .forEach(
              (name, key) ->
                  assertThat(name.matches(secret))
                      .as(name)
                      .isEqualTo(key.type == ConfigDef.Type.PASSWORD));
    }
  }

  private static boolean isRefusedByWeir(String name) {
    String variable = "KAFKA_" + name.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
    try {
      WeirConfig.of(new Properties(), Map.of(variable, "1"), Map.of());
      return false;
    } catch (ConfigException e) {
      return true;
    }
  }

  private static JsonNode schema() throws IOException {
    return new ObjectMapper()
        .readTree(Files.readString(HelmChart.DIR.resolve("values.schema.json")));
  }
}
