package io.weir.internal.text;

import static io.weir.internal.text.TextLines.inShort;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Line protocol in every spelling that is allowed, and lines that somebody has spoilt. */
class RandomPointsTest {
  private static final List<Integer> CHARACTERS =
      "ab/ ,=\"\t\r{}'#\u00e9\u20ac\uffee\ud83d\ude00".codePoints().boxed().toList();

  @Test
  void points_inOddButValidSpellings_areReadBackEqual() {
    Seeds.forEach(
        8,
        random -> {
          StringBuilder text = new StringBuilder();
          List<String> expected = new ArrayList<>();
          for (int lineNo = 1; lineNo <= 500; lineNo++) {
            text.append(randomPoint(lineNo, random, expected)).append('\n');
          }
          assertThat(read(text.toString())).isEqualTo(expected);
        });
  }

  @Test
  void spoiltLines_areReadingsAndBadLinesAsRegularExpressionsHaveIt() {
    Seeds.forEach(
        8,
        random -> {
          int good = 0;
          for (int i = 0; i < 2_000; i++) {
            byte[] line = randomPoint(1, random, new ArrayList<>()).getBytes(UTF_8);
            byte[] spoilt = RandomLinesTest.spoil(line, random);
            String text = new String(spoilt, UTF_8).replaceAll("[\n\r]", "");
            Optional<List<String>> expected = NaivePoints.readings(text);
            List<String> got = read(text);
            if (text.isBlank() || text.stripLeading().startsWith("#")) {
              continue;
            }
            if (expected.isPresent()) {
              assertThat(got)
                  .as(text)
                  .isEqualTo(expected.get().stream().map(r -> "1 " + r).toList());
              good++;
            } else {
              assertThat(got).as(text).hasSize(1).first().asString().matches("1 [A-Z0-9_]+");
            }
          }
          assertThat(good).isGreaterThan(100);
        });
  }

  /** A line, and what it says. */
  private static String randomPoint(int lineNo, Random random, List<String> expected) {
    String measurement = randomText(random);
    Map<String, String> tags = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      tags.put(escaped(randomText(random), ",= "), escaped(randomText(random), ",= "));
    }
    String series = escaped(measurement, ", ");
    StringBuilder line = new StringBuilder(" ".repeat(random.nextInt(2))).append(series);
    tags.forEach((key, value) -> line.append(',').append(key).append('=').append(value));
    StringBuilder sorted = new StringBuilder(series);
    TreeMap<String, String> byBytes =
        new TreeMap<>((a, b) -> Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8)));
    byBytes.putAll(tags);
    byBytes.forEach((key, value) -> sorted.append(',').append(key).append('=').append(value));

    long millis = 1 + random.nextInt(1_000_000);
    line.append(" ".repeat(1 + random.nextInt(2)));
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("last", randomValue(random));
    for (int i = random.nextInt(4); i > 0; i--) {
      fields.put(
          randomText(random), random.nextInt(4) == 0 ? "\"s \\\" ,=\"" : randomValue(random));
    }
    List<String> texts = new ArrayList<>();
    fields.forEach(
        (key, value) -> {
          texts.add(escaped(key, ",= ") + "=" + value);
          if (!value.startsWith("\"")) {
            expected.add(
                "%d %s %s %d %s GOOD".formatted(lineNo, sorted, key, millis, plain(value)));
          }
        });
    return line.append(String.join(",", texts))
        .append(" ")
        .append(millis * 1_000_000 + random.nextInt(1_000_000))
        .append(" ".repeat(random.nextInt(2)))
        .toString();
  }

  private static String randomValue(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> random.nextInt(1000) - 500 + "i";
      case 1 -> random.nextInt(1000) + "u";
      case 2 -> List.of("t", "F", "true", "False", "TRUE").get(random.nextInt(5));
      case 3 -> Double.toString(random.nextGaussian() * 1e9);
      default -> Integer.toString(random.nextInt(100));
    };
  }

  private static double plain(String value) {
    return switch (value.charAt(0)) {
      case 't', 'T' -> 1;
      case 'f', 'F' -> 0;
      default -> Double.parseDouble(value.replaceAll("[iu]$", ""));
    };
  }

  private static String randomText(Random random) {
    StringBuilder text = new StringBuilder("x");
    for (int i = random.nextInt(6); i > 0; i--) {
      text.appendCodePoint(CHARACTERS.get(random.nextInt(CHARACTERS.size())));
    }
    return text.toString();
  }

  private static String escaped(String text, String special) {
    StringBuilder escaped = new StringBuilder();
    for (char c : text.toCharArray()) {
      escaped.append(special.indexOf(c) >= 0 ? "\\" : "").append(c);
    }
    return escaped.toString();
  }

  private static List<String> read(String text) throws IOException {
    return inShort(
        TextLines.of(
            new ByteArrayInputStream(text.getBytes(UTF_8)),
            TextFormat.LINE_PROTOCOL,
            ReadingTextReader.MAX_LINE_BYTES));
  }
}
