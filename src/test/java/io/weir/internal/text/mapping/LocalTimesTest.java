package io.weir.internal.text.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.text.mapping.TimeReader.Outcome;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LocalTimesTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final LocalDateTime BEFORE = LocalDateTime.parse("2026-10-25T01:30");
  private static final LocalDateTime TWICE = LocalDateTime.parse("2026-10-25T02:30");

  private final LocalTimes times = new LocalTimes(BERLIN, Optional.of(TimeFormat.Choice.ORDER));

  @Test
  void seriesWithoutEnd_leaveAnAmbiguousTimeOfAForgottenOneUnread() {
    assertThat(times.read(BEFORE, BERLIN, "first")).isEqualTo(Outcome.READ);
    for (int i = 0; i < 99_999; i++) {
      times.read(BEFORE, BERLIN, "s" + i);
    }
    assertThat(times.read(TWICE, BERLIN, "first")).isEqualTo(Outcome.READ);
    assertThat(times.read(TWICE, BERLIN, "new")).isEqualTo(Outcome.READ);
    assertThat(times.read(TWICE, BERLIN, "s0")).isEqualTo(Outcome.AMBIGUOUS);
    assertThat(times.read(TWICE, BERLIN, "first")).isEqualTo(Outcome.READ);
    assertThat(times.read(BEFORE, BERLIN, "s0")).isEqualTo(Outcome.READ);
    assertThat(times.read(TWICE, BERLIN, "s0")).isEqualTo(Outcome.READ);
  }

  @Test
  void longNamesOfSeries_areForgottenEarlier() {
    String megabyte = "s".repeat(1 << 20);
    for (int i = 10; i < 27; i++) {
      assertThat(times.read(BEFORE, BERLIN, megabyte + i)).isEqualTo(Outcome.READ);
    }
    assertThat(times.read(TWICE, BERLIN, megabyte + 10)).isEqualTo(Outcome.AMBIGUOUS);
    assertThat(times.read(TWICE, BERLIN, megabyte + 26)).isEqualTo(Outcome.READ);
  }
}
