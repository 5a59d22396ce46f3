package io.weir.internal.text.mapping;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Options about the texts of values: words that are numbers, and units behind numbers. */
public final class CellTexts {
  private CellTexts() {}

  /** {@code on=1,off=0}. */
  static Map<String, String> values(String text) {
    Map<String, String> values = new HashMap<>();
    OptionList.pairs(text)
        .forEach(
            (word, number) -> {
              number(number);
              values.put(key(word), number);
            });
    return Map.copyOf(values);
  }

  /** {@code °C,%,kW=1000}: a unit without a factor has 1. */
  static Map<String, Integer> units(String text) {
    Map<String, Integer> units = new LinkedHashMap<>();
    for (String part : OptionList.quotedParts(text, ',')) {
      List<String> sides = OptionList.split(part, '=');
      BigDecimal factor = sides.size() < 2 ? BigDecimal.ONE : number(sides.get(1));
      BigDecimal one = factor.stripTrailingZeros();
      if (sides.size() > 2 || sides.get(0).isBlank() || !one.unscaledValue().equals(ONE)) {
        throw new IllegalArgumentException(
            part + ": expected: units with powers of ten, such as W,kW=1000");
      }
      units.put(sides.get(0).strip(), -one.scale());
    }
    return Map.copyOf(units);
  }

  private static final java.math.BigInteger ONE = java.math.BigInteger.ONE;

  private static BigDecimal number(String text) {
    try {
      return new BigDecimal(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(text + ": expected: a number behind the =");
    }
  }

  /** As texts are looked up. */
  public static String key(String text) {
    return text.strip().toLowerCase(Locale.ROOT);
  }
}
