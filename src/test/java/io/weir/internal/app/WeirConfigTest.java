package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.window.HoppingPlan;
import io.weir.internal.window.RollupPlan;
import io.weir.internal.window.StatisticsPlan;
import io.weir.reading.Limits;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WeirConfigTest {
  @TempDir Path dir;

  @Test
  void lastSummaries_haveTopicsWhereTheirSourceIsOn() {
    assertThat(environment("WEIR_LATEST_OF", "windows,hopping").topics().topics())
        .doesNotContain(Topic.LATEST, Topic.LATEST_HOPPING);
    assertThat(environment("WEIR_LATEST", "json").topics().topics())
        .contains(Topic.LATEST)
        .doesNotContain(Topic.LATEST_ROLLUPS, Topic.LATEST_HOPPING);
    Map<String, String> ofRollups =
        Map.of("WEIR_LATEST", "json", "WEIR_LATEST_OF", "rollups", "WEIR_ROLLUPS", "1h");
    WeirConfig rollups = WeirConfig.of(new Properties(), ofRollups, Map.of());
    assertThat(rollups.topics().of(Topic.LATEST_ROLLUPS)).isEqualTo("weir.latest.rollups");
    assertThat(rollups.topics().topics()).doesNotContain(Topic.LATEST);
    assertThatThrownBy(
            () ->
                WeirConfig.of(
                    new Properties(),
                    Map.of("WEIR_LATEST", "json", "WEIR_LATEST_OF", "hopping"),
                    Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("hopping are off; expected: weir.hopping");
  }

  @Test
  void rollups_areMultiplesOfTheOneBefore_andSwitchTheirTopicOn() {
    WeirConfig config =
        WeirConfig.of(
            new Properties(),
            Map.of("WEIR_ROLLUPS", "1m,1h,1d", "WEIR_TOPIC_ROLLUPS", "r"),
            Map.of());
    assertThat(config.windows().rollups().sizesMs())
        .containsExactly(60_000L, 3_600_000L, 86_400_000L);
    assertThat(config.topics().of(Topic.ROLLUPS)).isEqualTo("r");
    assertThat(environment("WEIR_TOPIC_ROLLUPS", "r").topics().topics())
        .doesNotContain(Topic.ROLLUPS);
    assertThat(environment("WEIR_TOPIC_ROLLUPS", "r").nameOf(Topic.ROLLUPS)).isEqualTo("r");
  }

  @Test
  void events_foldsAndGroups_switchTheirTopicsOn() {
    assertThat(environment("WEIR_EVENTS", "true").topics().topics())
        .contains(Topic.EVENTS, Topic.SCHEDULED)
        .doesNotContain(Topic.FOLDED, Topic.GROUPS);
    assertThat(environment("WEIR_GROUPS", "true").topics().topics())
        .contains(Topic.GROUPS)
        .doesNotContain(Topic.EVENTS);
    Map<String, String> folding = Map.of("WEIR_EVENTS", "true", "WEIR_FOLD", "true");
    assertThat(WeirConfig.of(new Properties(), folding, Map.of()).topics().topics())
        .contains(Topic.FOLDED);
    assertThatThrownBy(() -> environment("WEIR_FOLD", "true"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("weir.events=true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"15s", "10s", "5s", "1h,1m", "1m,90s", "1m,1m", "1m,", "", "1x", "0s"})
  void rollups_otherSizes_areRefusedInALine(String sizes) {
    assertThatThrownBy(() -> environment("WEIR_ROLLUPS", sizes))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("rollups")
        .hasMessageNotContaining("\n");
  }

  @Test
  void rollups_longerThanASensorIsKnown_areRefused() {
    Map<String, String> variables =
        Map.of("WEIR_ROLLUPS", "1m,1h", "WEIR_SENSOR_TTL", "20m", "WEIR_MARK_TTL", "39m");
    assertThatThrownBy(() -> WeirConfig.of(new Properties(), variables, Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("1h is longer than weir.sensor.ttl")
        .hasMessageContaining("= 59m");
  }

  @Test
  void hoppingWindowsLongerThanASensorIsKnown_areRefused() {
    Map<String, String> variables =
        Map.of("WEIR_HOPPING", "10m", "WEIR_SENSOR_TTL", "6m", "WEIR_MARK_TTL", "3m");
    assertThatThrownBy(() -> WeirConfig.of(new Properties(), variables, Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("hopping")
        .hasMessageContaining("10m is longer than weir.sensor.ttl")
        .hasMessageContaining("= 9m")
        .hasMessageNotContaining("\n");
  }

  @Test
  void nothingGiven_takesDefaultsAndWarnsOfNothing() {
    WeirConfig config = WeirConfig.of(new Properties(), Map.of(), Map.of());
    assertThat(config.windows())
        .isEqualTo(
            new WindowSettings(
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                Duration.ZERO,
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                Duration.ofDays(1),
                Duration.ofDays(30),
                StatisticsPlan.NONE,
                RollupPlan.NONE,
                HoppingPlan.NONE));
    assertThat(config.topics()).isEqualTo(TopicNames.DEFAULT);
    assertThat(config.limits()).isEqualTo(Limits.DEFAULT);
    assertThat(config.applicationId()).isEqualTo("weir");
    assertThat(config.instanceId()).isEmpty();
    assertThat(config.http().port()).isEqualTo(8080);
    assertThat(config.threads()).isPositive();
    assertThat(config.warnings()).isEmpty();
  }

  @Test
  void layers_thatDisagree_laterOneWins() {
    Properties file = new Properties();
    file.setProperty("weir.window.size", "1s");
    file.setProperty("weir.window.grace", "1s");
    file.setProperty("weir.idle.timeout", "1s");
    Map<String, String> environment = Map.of("WEIR_WINDOW_GRACE", "2s", "WEIR_IDLE_TIMEOUT", "2s");
    WindowSettings windows =
        WeirConfig.of(file, environment, Map.of("idle.timeout", "3s")).windows();
    assertThat(windows.size()).isEqualTo(Duration.ofSeconds(1));
    assertThat(windows.grace()).isEqualTo(Duration.ofSeconds(2));
    assertThat(windows.idleTimeout()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void variable_ofAKeyWithDotsAndDashes_isFound() {
    assertThat(environment("WEIR_TOPIC_DEAD_LETTERS", "dlq").topics().deadLetters())
        .isEqualTo("dlq");
  }

  @Test
  void fileVariable_holdsTheValueWithoutItsNewline() throws Exception {
    Path file = Files.writeString(dir.resolve("id"), "orchard\n");
    assertThat(environment("WEIR_GATEWAY_ID_FILE", file.toString()).edge().gatewayId())
        .contains("orchard");
  }

  @Test
  void fileVariable_ofNoFile_isRefusedByName() {
    assertRefused(
        () -> environment("WEIR_GATEWAY_ID_FILE", "/nowhere/id"),
        "WEIR_GATEWAY_ID_FILE = /nowhere/id (from the environment): expected: a readable file of"
            + " UTF-8 text");
  }

  @Test
  void fileVariable_besideThePlainOne_isRefused() {
    assertRefused(
        () ->
            WeirConfig.of(
                new Properties(), Map.of("WEIR_THREADS", "1", "WEIR_THREADS_FILE", "/x"), Map.of()),
        "WEIR_THREADS_FILE = /x (from the environment): WEIR_THREADS is set as well; expected: one"
            + " of them");
  }

  @Test
  void unknownVariable_isOnlyWarnedOf() {
    WeirConfig config = environment("WEIR_SERVICE_HOST", "10.0.0.7");
    assertThat(config.warnings())
        .containsExactly(
            "environment variable WEIR_SERVICE_HOST is not a setting of Weir: ignored");
  }

  @Test
  void injectedPortOfAService_isNotTakenForOurs() {
    WeirConfig config = environment("WEIR_HTTP_PORT", "tcp://10.0.0.7:8080");
    assertThat(config.http().port()).isEqualTo(8080);
    assertThat(config.warnings()).singleElement().asString().contains("WEIR_HTTP_PORT");
  }

  @Test
  void launchersVariables_areKnown() {
    assertThat(environment("WEIR_JAVA_OPTS", "-Xmx1g").warnings()).isEmpty();
  }

  @Test
  void logLevel_isALevelInEitherCase_andNothingElse() {
    assertThat(environment("WEIR_LOG_LEVEL", "DEBUG").log().level()).hasValue("DEBUG");
    assertThat(environment("WEIR_KAFKA_LOG_LEVEL", "off").log().kafkaLevel()).hasValue("off");
    assertRefused(
        () -> environment("WEIR_LOG_LEVEL", "chatty"),
        "weir.log.level = chatty (from WEIR_LOG_LEVEL): expected: off or error or warn or info or"
            + " debug or trace");
  }

  @Test
  void unknownKeyInAFile_isRefusedWithTheNearest() {
    Properties file = new Properties();
    file.setProperty("weir.windw.size", "10s");
    assertRefused(
        () -> WeirConfig.of(file, Map.of(), Map.of()),
        "weir.windw.size = 10s (from the properties file): no such key; the nearest is"
            + " weir.window.size");
  }

  @Test
  void unknownOption_isRefused() {
    assertRefused(
        () -> WeirConfig.of(new Properties(), Map.of(), Map.of("thread", "1")),
        "thread = 1 (from an option): no such key; the nearest is threads");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "window.size | 0s | expected: a duration such as 500ms, 10s, 5m, 1h or 1d, from 1ms to",
        "window.size | 10 | expected: a duration",
        "window.size | 1.5s | expected: a duration",
        "window.size | -1s | expected: a duration",
        "window.size | 999999999999999999d | expected: a duration",
        "idle.timeout | 0ms | from 1ms to 36500d",
        "threads | 0 | expected: a whole number from 1 to 1024",
        "threads | two | expected: a whole number",
        "http.port | 65536 | expected: a whole number from 0 to 65535",
        "topic.late | a b | expected: 1 to 249 of the characters a-z A-Z 0-9 . _ -",
        "bootstrap.servers | kafka | expected: host:port",
        "bootstrap.servers | kafka:9092, other:9092 | expected: host:port",
        "schema.registry.url | registry:8081 | expected: http://host:port, https://host:port or",
        "auto.register.schemas | yes | expected: true or false",
        "basic.auth.credentials.source | FILE | expected: URL or USER_INFO or SASL_INHERIT",
        "value.subject.name.strategy | a.MyStrategy | expected: TopicNameStrategy or",
        "suspend.threshold.percent | 101 | expected: a whole number from 1 to 100",
        "topic.late | weir.windows | weir.topic.windows has the same name",
        "sensor.ttl | 30s | expected: more than weir.idle.timeout = 30s",
        "window.grace | 1d | expected: more than weir.window.size + weir.window.grace",
        "batch.max.readings | 10001 | expected: up to weir.max.batch.readings, 10000",
        "max.batch.readings | 999 | expected: up to weir.max.batch.readings, 999",
        "max.id.bytes | 0 | expected: a whole number from 1 to 4096",
      })
  void value_thatCannotBe_isRefusedInOneLineThatSaysWhatCan(
      String key, String value, String allowed) {
    assertThatThrownBy(() -> WeirConfig.of(new Properties(), Map.of(), Map.of(key, value)))
        .isInstanceOf(ConfigException.class)
        .message()
        .contains(allowed)
        .containsAnyOf(
            "weir." + key + " = " + value, "weir.sensor.ttl = 1d", "weir.batch.max.readings = 1000")
        .doesNotContain("\n");
  }

  @Test
  void gatewayId_longerThanIdsMayBe_isRefused() {
    assertThatThrownBy(
            () ->
                WeirConfig.of(
                    new Properties(),
                    Map.of(),
                    Map.of("gateway.id", "ä".repeat(2), "max.id.bytes", "3")))
        .hasMessageContaining("weir.gateway.id = ää")
        .hasMessageContaining("up to weir.max.id.bytes, 3 bytes");
  }

  @Test
  void refusal_ofAValueWithCredentialsOrLines_showsNeither() {
    assertRefused(
        () -> environment("WEIR_SCHEMA_REGISTRY_URL", "https://me:secret@registry\nx"),
        "weir.schema.registry.url = (hidden) (from WEIR_SCHEMA_REGISTRY_URL): expected:"
            + " http://host:port, https://host:port or mock://scope, several separated by commas");
  }

  @Test
  void registrysSettings_keepConfluentsNames_andKafkasOwnGoWithThem() {
    WeirConfig config =
        WeirConfig.of(
            new Properties(),
            Map.of("KAFKA_SSL_TRUSTSTORE_LOCATION", "/trust.jks", "WEIR_BEARER_AUTH_TOKEN", "t"),
            Map.of(
                "schema.registry.url", "https://a,https://b",
                "bearer.auth.credentials.source", "STATIC_TOKEN",
                "serde.class", "a.Serde"));
    assertThat(config.values())
        .containsEntry("schema.registry.url", "https://a,https://b")
        .containsEntry("auto.register.schemas", true)
        .containsEntry("bearer.auth.token", "t")
        .containsEntry("ssl.truststore.location", "/trust.jks")
        .containsEntry("weir.serde.class", "a.Serde");
    assertThatThrownBy(() -> environment("WEIR_BEARER_AUTH_CREDENTIALS_SOURCE", "STATIC_TOKEN"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("it needs bearer.auth.token");
  }

  @Test
  void catalogue_namesAreTheirOwnInEveryForm() {
    assertThat(Keys.ALL).extracting(Key::variableName).doesNotHaveDuplicates();
    assertThat(Keys.ALL).extracting(Key::optionName).doesNotHaveDuplicates();
    assertThat(KeyTable.markdown()).contains("| `weir.window.grace` | 5s | ");
    assertThat(KeyTable.help()).contains("weir.topic.dead-letters (weir.dead-letters)");
  }

  private static WeirConfig environment(String name, String value) {
    return WeirConfig.of(new Properties(), Map.of(name, value), Map.of());
  }

  private static void assertRefused(Runnable load, String message) {
    assertThatThrownBy(load::run).isInstanceOf(ConfigException.class).hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/#/b", "", "a,,b", "a+/b", "$share/g/a"})
  void mqttFiltersThatAreNone_areRefusedAtTheStart(String filters) {
    Map<String, String> options = Map.of("mqtt.url", "mqtt://localhost", "mqtt.topics", filters);
    assertThatThrownBy(() -> WeirConfig.of(new Properties(), Map.of(), options))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("weir.mqtt.topics");
  }

  @ParameterizedTest
  @CsvSource({"sparkplug.host.id,h", "sparkplug.groups,a/b", "sparkplug.host.id,+"})
  void sparkplugWithoutABroker_orWithTextThatIsNoLevel_isRefusedAtTheStart(
      String name, String value) {
    assertThatThrownBy(() -> WeirConfig.of(new Properties(), Map.of(), Map.of(name, value)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("weir." + name);
  }

  @Test
  void sparkplugGroups_useTheBrokerOfMqtt_withoutItsTopics() {
    Map<String, String> options = Map.of("mqtt.url", "mqtt://localhost", "sparkplug.groups", "a,b");
    InputSettings input = WeirConfig.of(new Properties(), Map.of(), options).input();
    assertThat(input.mqtt()).isEmpty();
    assertThat(input.sparkplug().orElseThrow().groups()).containsExactly("a", "b");
    assertThat(input.sparkplug().orElseThrow().broker().sessionExpiry()).isZero();
  }
}
