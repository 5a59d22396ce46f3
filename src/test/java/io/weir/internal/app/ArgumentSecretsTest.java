package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class ArgumentSecretsTest {
  @Test
  void systemPropertyThatHoldsASecret_isWarnedOf_withoutItsValue() {
    assertThat(
            ArgumentSecrets.warnings(
                List.of(
                    "-Xmx1g",
                    "-Djavax.net.ssl.trustStorePassword=hunter2",
                    "-Dsasl.jaas.config=Login required password=hunter2;",
                    "-Dproxy=http://me:hunter2@host",
                    "-Djava.security.auth.login.config=/etc/jaas.conf",
                    "-Dapi.token=")))
        .hasSize(3)
        .allSatisfy(warning -> assertThat(warning).startsWith("-D").doesNotContain("hunter2", "\n"))
        .first()
        .asString()
        .startsWith("-Djavax.net.ssl.trustStorePassword contains a credential");
  }

  @Test
  void optionThatHoldsASecret_isWarnedOf_andItsVariableIsNamed() {
    assertThat(options("schema.registry.url", "https://me:hunter2@host", "threads", "2").warnings())
        .singleElement()
        .asString()
        .startsWith("--schema-registry-url contains a credential")
        .endsWith("use WEIR_SCHEMA_REGISTRY_URL_FILE")
        .doesNotContain("hunter2");
    assertThat(options("basic.auth.credentials.source", "URL", "threads", "2").warnings())
        .isEmpty();
  }

  @Test
  void credentialsOverPlainHttp_areWarnedOf() {
    assertThat(environment("http://me:hunter2@host:8081").warnings())
        .containsExactly(
            "weir.schema.registry.url: credentials go to http://***@host:8081 in clear text: use"
                + " https");
    assertThat(environment("https://me:hunter2@host:8081").warnings()).isEmpty();
    assertThat(environment("http://host:8081").warnings()).isEmpty();
    assertThat(environment("http://me:hunter2@localhost:8081").warnings()).isEmpty();
  }

  @Test
  void tokenOverPlainHttp_isWarnedOf() {
    WeirConfig config =
        WeirConfig.of(
            new Properties(),
            Map.of(
                "WEIR_SCHEMA_REGISTRY_URL",
                "https://safe,http://host",
                "WEIR_BEARER_AUTH_CREDENTIALS_SOURCE",
                "STATIC_TOKEN",
                "WEIR_BEARER_AUTH_TOKEN",
                "hunter2"),
            Map.of());
    assertThat(config.warnings()).singleElement().asString().contains("http://host in clear text");
  }

  private static WeirConfig environment(String registry) {
    return WeirConfig.of(new Properties(), Map.of("WEIR_SCHEMA_REGISTRY_URL", registry), Map.of());
  }

  private static WeirConfig options(String name, String value, String other, String otherValue) {
    return WeirConfig.of(new Properties(), Map.of(), Map.of(name, value, other, otherValue));
  }
}
