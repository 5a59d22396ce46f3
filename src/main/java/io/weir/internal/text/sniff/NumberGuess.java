package io.weir.internal.text.sniff;

import io.weir.internal.text.mapping.NumberStyle;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How the numbers of a table are written.
 *
 * @param other another style that reads as many texts, some as other numbers
 */
record NumberGuess(NumberStyle style, Optional<NumberStyle> other) {
  static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d{1,4})?");
  private static final List<NumberStyle> STYLES =
      List.of(
          NumberStyle.POINT,
          NumberStyle.COMMA,
          new NumberStyle('.', ','),
          new NumberStyle(',', '.'),
          new NumberStyle('.', ' '),
          new NumberStyle(',', ' '),
          new NumberStyle('.', '\''),
          new NumberStyle(',', '\''));

  /** Whether the text is a number in some style. */
  static boolean isNumber(String text) {
    return STYLES.stream().anyMatch(style -> read(style, text) != null);
  }

  static boolean isNumber(NumberStyle style, String text) {
    return read(style, text) != null;
  }

  /** The style that reads most of the texts. */
  static NumberGuess of(List<String> texts, char delimiter) {
    Map<NumberStyle, List<Double>> fitting = new LinkedHashMap<>();
    long most = 0;
    // If whole numbers occur too, three decimals can be a group of thousands.
    boolean comma =
        texts.stream().anyMatch(text -> text.contains(","))
            || texts.stream().anyMatch(text -> text.matches("[^.]*[1-9][^.]*"));
    List<NumberStyle> likely = new ArrayList<>(STYLES);
    // A comma that separates columns can be a decimal sign only in quoted numbers.
    likely.sort(Comparator.comparing(style -> style.decimal() == delimiter));
    likely.removeIf(style -> style.decimal() == delimiter && !comma);
    for (NumberStyle style : likely) {
      List<Double> numbers = new ArrayList<>();
      texts.forEach(text -> numbers.add(read(style, text)));
      long count = numbers.stream().filter(number -> number != null).count();
      if (count > most) {
        fitting.clear();
        most = count;
      }
      if (count == most && !fitting.containsValue(numbers)) {
        fitting.put(style, numbers);
      }
    }
    List<NumberStyle> styles = new ArrayList<>(fitting.keySet());
    return new NumberGuess(styles.get(0), styles.stream().skip(1).findFirst());
  }

  /** Adds the options that read this style, and the question if another one fits. */
  void describe(Sniffed sniffed) {
    char group = style.group();
    if (style.decimal() == ',') {
      sniffed.option("decimal-comma", "true");
    }
    if (group != 0) {
      sniffed.option("group-separator", group == ' ' ? "space" : String.valueOf(group));
    }
    other.ifPresent(
        more ->
            sniffed.leaveOpen(
                "the numbers: taken with %s, and %s fits as well"
                    .formatted(words(style), words(more))));
  }

  private static String words(NumberStyle style) {
    return (style.decimal() == ',' ? "--decimal-comma" : "a decimal point")
        + (style.group() == 0 ? "" : " and --group-separator '" + style.group() + "'");
  }

  private static Double read(NumberStyle style, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream canonical = new ByteArrayOutputStream();
    style.writeCanonical(utf8, 0, utf8.length, canonical::write);
    String number = canonical.toString(StandardCharsets.UTF_8);
    return NUMBER.matcher(number).matches() ? Double.valueOf(number) : null;
  }
}
