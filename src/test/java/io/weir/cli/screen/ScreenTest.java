package io.weir.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.cli.demo.Sparkline;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The small things that what a terminal shows is made of. */
class ScreenTest {
  @Test
  void sparkline_fromZero_isAShareOfTheLargest() {
    assertThat(Sparkline.fromZero(new double[] {0, 1, 7, 3.5}, 10)).isEqualTo("▁▂█▅");
    assertThat(Sparkline.fromZero(new double[] {0, 0}, 10)).isEqualTo("▁▁");
    assertThat(Sparkline.fromZero(new double[] {}, 10)).isEmpty();
  }

  @Test
  void sparkline_fromSmallest_showsTheLastThatFit() {
    assertThat(Sparkline.fromSmallest(new double[] {900, -5, -4, -3}, 3)).isEqualTo("▁▅█");
    assertThat(Sparkline.fromSmallest(new double[] {1, 2}, 0)).isEmpty();
  }

  @Test
  void row_isCutAtTheWidth_withItsStylesWhole() {
    Row row = new Row().add("ab").add(Style.WINDOWS, "cdef").add(Style.BOLD, "g");
    assertThat(row.text(4)).isEqualTo("abcd");
    assertThat(row.styled(4)).isEqualTo("ab\u001b[38;5;75mcd\u001b[0m");
    assertThat(row.width()).isEqualTo(7);
  }

  @Test
  void row_endingAt_keepsABlankBeforeTextThatIsTooLong() {
    assertThat(new Row().add("abc").endingAt(8, Style.PLAIN, "de").text(80)).isEqualTo("abc   de");
    assertThat(new Row().add("abc").endingAt(4, Style.PLAIN, "de").text(80)).isEqualTo("abc de");
  }

  @Test
  void numbers_areAsAPersonReadsThem() {
    assertThat(Numbers.grouped(1234567)).isEqualTo("1,234,567");
    assertThat(Numbers.compact(9_999)).isEqualTo("9,999");
    assertThat(Numbers.compact(12_345)).isEqualTo("12k");
    assertThat(Numbers.compact(12_345_678)).isEqualTo("12M");
    assertThat(Numbers.clock(67_900)).isEqualTo("01:07");
    assertThat(Numbers.clock(3_667_000)).isEqualTo("1:01:07");
    assertThat(Numbers.seconds(1)).isEqualTo("1 s");
    assertThat(Numbers.seconds(2001)).isEqualTo("3 s");
    assertThat(Numbers.spoken(Duration.ofMinutes(15))).isEqualTo("15 min");
    assertThat(Numbers.spoken(Duration.ofMillis(1500))).isEqualTo("1500 ms");
  }

  @Test
  void terminal_isUnderstood() {
    assertThat(Terminal.parse("24 80\n")).contains(new Terminal.Size(80, 24));
    assertThat(Terminal.parse("0 0\n")).contains(Terminal.Size.USUAL);
    assertThat(Terminal.parse("")).isEqualTo(Optional.empty());
    assertThat(Terminal.isPlainWanted(Map.of("TERM", "xterm"))).isFalse();
    assertThat(Terminal.isPlainWanted(Map.of("TERM", "dumb"))).isTrue();
    assertThat(Terminal.isPlainWanted(Map.of())).isTrue();
    assertThat(Terminal.isPlainWanted(Map.of("TERM", "xterm", "NO_COLOR", "1"))).isTrue();
  }
}
