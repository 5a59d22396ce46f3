package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {
  @TempDir private Path dir;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sasl.jaas.config",
        "ssl.keystore.password",
        "ssl.key.password",
        "ssl.keystore.key",
        "ssl.truststore.password",
        "producer.sasl.jaas.config",
        "main.consumer.ssl.key.password",
        "sasl.oauthbearer.client.credentials.client.secret",
        "schema.registry.basic.auth.user.info",
        "schema.registry.auth"
      })
  void secret_isHidden(String name) {
    assertThat(Secrets.shown(name, "hunter2", "X")).isEqualTo(Secrets.HIDDEN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://me:hunter2@host:port",
        "http://me:with/hunter2@host",
        "http://me:with hunter2@host",
        "http://me:with@hunter2@host/ x",
        "http://me:a,hunter2@host",
        "host:8081,http://me:hunter2@"
      })
  void addressThatIsRefused_isNotShown(String url) {
    assertThatThrownBy(
            () -> WeirConfig.of(new Properties(), Map.of(), Map.of("schema.registry.url", url)))
        .isInstanceOf(ConfigException.class)
        .message()
        .doesNotContain("hunter2");
    assertThat(Secrets.withoutCredentials("no answer from " + url)).doesNotContain("hunter2");
  }

  @Test
  void tokenThatNoHeaderTakes_isRefusedAtTheStart_andNotShown() {
    assertThatThrownBy(
            () ->
                WeirConfig.of(
                    new Properties(),
                    Map.of("WEIR_BEARER_AUTH_TOKEN", "hunter2\nhunter2"),
                    Map.of(
                        "schema.registry.url",
                        "http://host",
                        "bearer.auth.credentials.source",
                        "STATIC_TOKEN")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("bearer.auth.token")
        .message()
        .doesNotContain("hunter2");
  }

  @Test
  void configuration_isShownWithoutItsSecrets() throws IOException {
    Path file = Files.writeString(dir.resolve("password"), "hunter2\n");
    WeirConfig config =
        WeirConfig.of(
            new Properties(),
            Map.of(
                "KAFKA_SASL_JAAS_CONFIG", "x required password=\"hunter2\";",
                "KAFKA_SSL_TRUSTSTORE_PASSWORD_FILE", file.toString(),
                "KAFKA_SECURITY_PROTOCOL", "SASL_SSL",
                "KAFKA_METRIC_REPORTERS", "http://me:hunter2@reporter/",
                "WEIR_GATEWAY_ID_FILE", file.toString()),
            Map.of("window.size", "1m"));

    assertThat(config.kafka().passed()).containsEntry("ssl.truststore.password", "hunter2");
    assertThat(config.kafka().shown())
        .containsEntry("security.protocol", "SASL_SSL")
        .containsEntry("metric.reporters", "http://***@reporter/");
    assertThat(config.shown())
        .containsEntry("weir.window.size", "1m")
        .containsEntry("weir.http.port", "8080")
        .containsEntry("weir.gateway.id", Secrets.HIDDEN)
        .doesNotContainKey("weir.instance.id");
    assertThat(config.kafka().shown().toString() + config.shown()).doesNotContain("hunter2");
  }
}
