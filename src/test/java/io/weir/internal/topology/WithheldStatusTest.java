package io.weir.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Status and alarms of a sensor whose readings are withheld, because records were deleted. */
class WithheldStatusTest extends StatusFixture {
  private void speakBehindAGap() {
    speak("g", 1);
    pass(MINUTE);
    weir.cut(3);
    for (int i = 0; i < 20; i++) {
      speak("g", 99);
      pass(MINUTE);
    }
  }

  @Test
  void sensorThatSendsAllTheTime_isNotSilent_behindAGap() {
    start(true, rules("{name: gone, sensors: '*', silent-after: 2m}"));
    speakBehindAGap();
    assertThat(states()).doesNotContain("SILENT");
    assertThat(alarms()).isEmpty();
  }

  @Test
  void sensorThatIsTooHot_isHeardOf_behindAGap() {
    start(false, rules("{name: hot, sensors: '*', high: 95}"));
    speakBehindAGap();
    List<String> alarms = alarms();
    assertThat(alarms).contains("hot high active exceeded 99.0");
  }

  /** As windows that are whole: one that does not exceed ends the series. */
  @Test
  void sensorThatSwings_isNotTooHotForLong_behindAGap() {
    start(false, rules("{name: hot, sensors: '*', high: 95, on-delay: 3m, on-delay-gap: 2m}"));
    speak("g", 1);
    pass(MINUTE);
    weir.cut(3);
    for (int i = 0; i < 20; i++) {
      speak("g", i % 2 == 0 ? 99 : 1);
      pass(MINUTE);
    }
    assertThat(alarms()).isEmpty();
  }
}
