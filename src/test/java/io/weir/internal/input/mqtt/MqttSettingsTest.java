package io.weir.internal.input.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MqttSettingsTest {
  private static String[] senders(String filter, String topic) {
    return new MqttSettings(
            null,
            List.of(filter),
            false,
            MqttSettings.Payload.AUTO,
            Optional.empty(),
            List.of(),
            1,
            Path.of(""))
        .senders(topic);
  }

  @Test
  void sendersAreThreeLevels_fromTheFirstThatTheFilterLeavesOpen() {
    assertThat(senders("#", "plant/line-7/press/t"))
        .containsExactly("plant", "plant/line-7", "plant/line-7/press");
    assertThat(senders("plant/#", "plant/line-7")).containsExactly("plant/line-7");
    assertThat(senders("$share/g/plant/+/t", "plant/line-7/t"))
        .containsExactly("plant/line-7", "plant/line-7/t");
    assertThat(senders("plant/t", "plant/t")).containsExactly("plant/t");
    assertThat(senders("#", "")).containsExactly("");
  }
}
