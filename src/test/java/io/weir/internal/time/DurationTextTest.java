package io.weir.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {
  @ParameterizedTest
  @CsvSource({
    "500ms,500,500ms",
    "10s,10000,10s",
    "5m,300000,5m",
    "1h,3600000,1h",
    "1d,86400000,1d",
    "90s,90000,90s",
    "1000ms,1000,1s",
    "24h,86400000,1d",
    "0ms,0,0s",
  })
  void duration_parsedAndFormatted_isShortestForm(String text, long ms, String shortest) {
    assertThat(DurationText.parse(text).toMillis()).isEqualTo(ms);
    assertThat(DurationText.format(DurationText.parse(text))).isEqualTo(shortest);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10",
        "s",
        "-1s",
        "+1s",
        "1.5s",
        "1 s",
        "1S",
        "1w",
        "1s\n",
        "٣s",
        "999999999999999999d",
        "1s1s"
      })
  void duration_ofAnotherForm_isRefused(String text) {
    assertThatThrownBy(() -> DurationText.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
