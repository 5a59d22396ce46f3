package io.weir.internal.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.JsonFields;
import io.weir.internal.app.BuildInfo;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.ops.ProcessPages.InfoPage;
import java.io.IOException;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class InfoPageTest {
  private static final String SECRET = "x required password=\"hunter2\";";

  private final WeirConfig config =
      WeirConfig.of(
          new Properties(),
          Map.of("KAFKA_SASL_JAAS_CONFIG", SECRET, "WEIR_GATEWAY_ID", "line \"7\""),
          Map.of());

  @Test
  void info_isJson_withoutSecrets() throws IOException {
    Reply.Text reply =
        new InfoPage(
                new BuildInfo("1.2.3", "abc"), config, () -> "Topologies:\n  Sub-topology: 0\n")
            .reply(PageRequest.of("/info"));

    assertThat(reply.contentType()).isEqualTo("application/json");
    assertThat(JsonFields.of(reply.text()))
        .containsEntry("/version", "1.2.3")
        .containsEntry("/revision", "abc")
        .containsEntry("/configuration/weir.window.size", "10s")
        .containsEntry("/configuration/weir.gateway.id", "line \"7\"")
        .containsEntry("/kafka/sasl.jaas.config", "(hidden)")
        .containsEntry("/topology/1", "  Sub-topology: 0");
    assertThat(reply.text()).doesNotContain("hunter2");
  }

  @Test
  void gateway_hasNoTopologyToShow() throws IOException {
    Reply.Text reply =
        new InfoPage(BuildInfo.load(), config, () -> "").reply(PageRequest.of("/info"));

    assertThat(JsonFields.of(reply.text())).doesNotContainKey("/topology/0");
  }

  /** The build wrote what it is, whatever it is. */
  @Test
  void build_knowsItself() {
    assertThat(BuildInfo.load().version()).matches("\\d+\\.\\d+\\.\\d+.*");
    assertThat(BuildInfo.load().revision()).matches("[0-9a-f]{40}(-dirty)?|unknown");
  }
}
