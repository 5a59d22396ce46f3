package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.internal.ops.Meters;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class WeirApplicationTest {
  @Test
  void start_whereNobodyAnswers_namesTheServers() {
    Map<String, String> hurry =
        Map.of("KAFKA_DEFAULT_API_TIMEOUT_MS", "500", "KAFKA_REQUEST_TIMEOUT_MS", "500");
    WeirConfig config =
        WeirConfig.of(new Properties(), hurry, Map.of("bootstrap.servers", "localhost:1"));

    assertThatThrownBy(
            () -> WeirApplication.start(config, new Meters(new SimpleMeterRegistry())).close())
        .isInstanceOf(StartRefusedException.class)
        .hasMessageStartingWith("no answer from Kafka at localhost:1 (weir.bootstrap.servers): ");
  }
}
