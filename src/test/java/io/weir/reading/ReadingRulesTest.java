package io.weir.reading;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReadingRulesTest {
  @Test
  void soundReading_noReason() {
    assertThat(ReadingRules.refusal(1, 1, 0, 256)).isNull();
    assertThat(ReadingRules.refusal(256, Long.MAX_VALUE, -Double.MAX_VALUE, 256)).isNull();
  }

  @Test
  void reasons_comeInTheirOrder() {
    double nan = Double.NaN;
    assertThat(ReadingRules.refusal(0, 0, nan, 256)).isEqualTo(RejectReason.MISSING_SENSOR_ID);
    assertThat(ReadingRules.refusal(257, 0, nan, 256)).isEqualTo(RejectReason.SENSOR_ID_TOO_LONG);
    assertThat(ReadingRules.refusal(1, 0, nan, 256)).isEqualTo(RejectReason.INVALID_VALUE);
    assertThat(ReadingRules.refusal(1, 0, 1, 256)).isEqualTo(RejectReason.INVALID_TIMESTAMP);
  }

  @Test
  void qualityNumber_unlisted_isUncertain() {
    assertThat(Quality.ofNumber(0)).isEqualTo(Quality.GOOD);
    assertThat(Quality.ofNumber(1)).isEqualTo(Quality.GOOD);
    assertThat(Quality.ofNumber(2)).isEqualTo(Quality.UNCERTAIN);
    assertThat(Quality.ofNumber(3)).isEqualTo(Quality.BAD);
    assertThat(Quality.ofNumber(-1)).isEqualTo(Quality.UNCERTAIN);
    assertThat(Quality.ofNumber(259)).isEqualTo(Quality.UNCERTAIN);
  }

  @Test
  void verdict_namesItsReason() {
    for (RejectReason reason : RejectReason.values()) {
      byte verdict = Verdict.rejected(reason);
      assertThat(Verdict.reason(verdict)).isEqualTo(reason);
      assertThat((int) verdict).isBetween(1, Verdict.REASONS - 1);
    }
  }
}
