package io.weir.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

class RegistrySettingsTest {
  private static void assertRefused(Map<String, ?> more, String... expected) {
    Map<String, Object> settings = new HashMap<>(Map.of("schema.registry.url", "http://a:1"));
    settings.putAll(more);
    assertThatThrownBy(() -> RegistrySettings.of(settings))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll(expected)
        .message()
        .doesNotContain("secret");
  }

  @Test
  void whatCannotBe_isRefusedInOneLine() {
    assertRefused(
        Map.of("schema.registry.url", "ftp://u:secret@a"), "schema.registry.url", "not shown");
    assertRefused(
        Map.of("schema.registry.url", "http://u:secret@a b"), "not shown", "mock://scope");
    assertRefused(Map.of("schema.registry.url", "a:1"), "http://host:port");
    assertRefused(Map.of("basic.auth.credentials.source", "FILE"), "SASL_INHERIT");
    assertRefused(Map.of("basic.auth.credentials.source", "USER_INFO"), "basic.auth.user.info");
    assertRefused(Map.of("basic.auth.credentials.source", "SASL_INHERIT"), "sasl.jaas.config");
    assertRefused(Map.of("bearer.auth.credentials.source", "OAUTH"), "STATIC_TOKEN");
    assertRefused(Map.of("bearer.auth.credentials.source", "STATIC_TOKEN"), "bearer.auth.token");
    assertRefused(Map.of("value.subject.name.strategy", "MyStrategy"), "TopicRecordNameStrategy");
    assertRefused(Map.of("auto.register.schemas", "perhaps"), "auto.register.schemas");
    assertRefused(Map.of("http.read.timeout.ms", "0"), "http.read.timeout.ms");
  }

  @Test
  void subjects_areNamedByTheStrategy() {
    String confluents = "io.confluent.kafka.serializers.subject.";
    for (Map.Entry<String, String> expected :
        Map.of(
                "TopicNameStrategy", "t-value",
                "RecordNameStrategy", "weir.v1.A",
                "TopicRecordNameStrategy", "t-weir.v1.A")
            .entrySet()) {
      RegistrySettings settings =
          RegistrySettings.of(
              Map.of("value.subject.name.strategy", confluents + expected.getKey()));
      assertThat(settings.subject("t", false, "weir.v1.A")).isEqualTo(expected.getValue());
      assertThat(settings.subject("t", true, "weir.v1.A")).isEqualTo("t-key");
    }
  }

  @Test
  void prefixedSettings_win() {
    RegistrySettings settings =
        RegistrySettings.of(
            Map.of(
                "schema.registry.url", "http://a:1, https://b/registry/",
                "ssl.truststore.location", "/kafka.jks",
                "schema.registry.ssl.truststore.location", "/registry.jks"));
    assertThat(settings.given()).containsEntry("ssl.truststore.location", "/registry.jks");
    assertThat(settings.urls().stream().map(url -> RegistryUrl.of(url).base()).toList())
        .isEqualTo(List.of("http://a:1", "https://b/registry"));
    assertThat(settings.isSet()).isTrue();
    assertThat(RegistrySettings.of(Map.of()).isSet()).isFalse();
  }
}
