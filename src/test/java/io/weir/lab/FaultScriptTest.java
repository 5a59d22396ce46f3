package io.weir.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FaultScriptTest {
  private final FaultScript script = new FaultScript(Duration.ofSeconds(24));

  @Test
  void fault_isOnInItsPartOfEveryCycle() {
    assertThat(script.isOn(Fault.OFFLINE, 2999)).isFalse();
    assertThat(script.isOn(Fault.OFFLINE, 3000)).isTrue();
    assertThat(script.isOn(Fault.OFFLINE, 8999)).isTrue();
    assertThat(script.isOn(Fault.OFFLINE, 9000)).isFalse();
    assertThat(script.isOn(Fault.OFFLINE, 24_000 + 3000)).isTrue();
  }

  @Test
  void change_isWhereTheFaultComesOrEnds() {
    for (Fault fault : Fault.values()) {
      if (fault.always()) {
        continue;
      }
      for (long elapsedMs = 0; elapsedMs < 60_000; elapsedMs += 250) {
        long changeMs = elapsedMs + script.untilChangeMs(fault, elapsedMs);
        boolean now = script.isOn(fault, elapsedMs);
        assertThat(changeMs).isGreaterThan(elapsedMs);
        assertThat(script.isOn(fault, changeMs - 1)).isEqualTo(now);
        assertThat(script.isOn(fault, changeMs)).isNotEqualTo(now);
      }
    }
  }

  @Test
  void everyFault_comesInACycleOfAnyLength() {
    FaultScript shortOne = new FaultScript(Duration.ofSeconds(1));
    for (Fault fault : Fault.values()) {
      assertThat(
              java.util.stream.LongStream.range(0, 1000).anyMatch(ms -> shortOne.isOn(fault, ms)))
          .as(fault.name())
          .isTrue();
    }
    assertThatThrownBy(() -> new FaultScript(Duration.ofMillis(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
