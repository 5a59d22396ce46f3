package io.weir.internal.permission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Seeds;
import io.weir.internal.permission.GatewayEntry.SensorSet;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SensorSetTest {
  /** Few, so that they meet; one of two bytes, one of four, and what means more in patterns. */
  private static final String[] CHARACTERS = {"a", "b", "/", "é", "😀", "\u0000", "."};

  @Test
  void randomPatterns_fitWhatRegularExpressionsFit() {
    long[] fits = new long[1];
    Seeds.forEach(20_000, random -> fits[0] += fitting(random));
    assertThat(fits[0]).isPositive();
  }

  private static int fitting(Random random) {
    String gateway = text(random, 4, "*", "?");
    List<String> patterns = new ArrayList<>();
    for (int n = random.nextInt(6); n >= 0; n--) {
      patterns.add(
          random.nextInt(3) == 0 ? text(random, 3) + "*" : text(random, 5, "*", "?", "{gateway}"));
    }
    patterns.removeIf(String::isEmpty);
    byte[] ofGateway = gateway.getBytes(StandardCharsets.UTF_8);
    SensorSet set =
        new SensorSet(patterns.stream().map(each -> IdPattern.of(each).with(ofGateway)).toList());
    int fits = 0;
    for (int n = 0; n < 10; n++) {
      String id = random.nextInt(3) == 0 ? gateway + text(random, 3) : text(random, 6);
      boolean fit = patterns.stream().anyMatch(each -> regex(each, gateway).matcher(id).matches());
      byte[] bytes = ("x" + id + "x").getBytes(StandardCharsets.UTF_8);
      assertThat(set.allows(bytes, 1, bytes.length - 2))
          .as("%s of %s for %s", patterns, gateway, id)
          .isEqualTo(fit);
      fits += fit ? 1 : 0;
    }
    return fits;
  }

  private static String text(Random random, int most, String... more) {
    StringBuilder text = new StringBuilder();
    for (int n = random.nextInt(most + 1); n > 0; n--) {
      int of = random.nextInt(CHARACTERS.length + more.length);
      text.append(of < more.length ? more[of] : CHARACTERS[of - more.length]);
    }
    return text.toString();
  }

  private static Pattern regex(String pattern, String gateway) {
    StringBuilder regex = new StringBuilder();
    String rest = pattern;
    while (!rest.isEmpty()) {
      if (rest.startsWith("{gateway}")) {
        regex.append(Pattern.quote(gateway));
        rest = rest.substring("{gateway}".length());
      } else {
        int length = Character.charCount(rest.codePointAt(0));
        String each = rest.substring(0, length);
        regex.append(each.equals("*") ? ".*" : each.equals("?") ? "." : Pattern.quote(each));
        rest = rest.substring(length);
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  @ParameterizedTest
  @CsvSource({
    "plant/{gateway}/*, line-7, plant/line-7/t, true",
    "plant/{gateway}/*, line-7, plant/line-70/t, false",
    "{gateway}/*, *, any/t, false",
    "{gateway}/*, *, */t, true",
    "a*, g, a, true",
    "a*, g, A, false",
    "*, g, any, true"
  })
  void pattern_meansWhatItSays(String pattern, String gateway, String id, boolean fits) {
    IdPattern own = IdPattern.of(pattern).with(gateway.getBytes(StandardCharsets.UTF_8));
    byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
    assertThat(new SensorSet(List.of(own)).allows(bytes, 0, bytes.length)).isEqualTo(fits);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{sensor}/*", "a{", "}"})
  void wrongPattern_isRefused(String pattern) {
    assertThatThrownBy(() -> IdPattern.of(pattern)).isInstanceOf(IllegalArgumentException.class);
  }

  /** Stars are tried from the last one on: no product of all of them. */
  @Test
  void patternOfManyStars_endsSoon() {
    IdPattern pattern = IdPattern.of("*a".repeat(400) + "b");
    byte[] id = "a".repeat(5_000).getBytes(StandardCharsets.UTF_8);
    assertThat(pattern.fits(id, 0, id.length)).isFalse();
  }
}
