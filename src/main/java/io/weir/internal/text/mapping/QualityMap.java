package io.weir.internal.text.mapping;

import io.weir.reading.Quality;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Maps texts to qualities: texts of the user, and the predefined maps {@code opc} (OPC DA: 0 to
 * 255, 192 and above is good), {@code opc-ua} (status codes of 32 bits, 0 is good) and {@code
 * words}. Ignores case and surrounding blanks. An empty text is good. Immutable.
 */
public final class QualityMap {
  private static final Map<String, Quality> WORDS = new HashMap<>();

  static {
    for (String word : "good ok valid normal true gut gültig".split(" ")) {
      WORDS.put(word, Quality.GOOD);
    }
    for (String word :
        "uncertain questionable suspect doubtful substituted estimated unsicher".split(" ")) {
      WORDS.put(word, Quality.UNCERTAIN);
    }
    for (String word :
        ("bad invalid error fault failed failure false offline schlecht ungültig fehler störung")
            .split(" ")) {
      WORDS.put(word, Quality.BAD);
    }
  }

  private static final String ALLOWED =
      "expected: opc, opc-ua, words and TEXT=good|uncertain|bad, with commas between them;"
          + " *=... is every other text";

  private enum Numbers {
    NONE,
    OPC,
    OPC_UA
  }

  private final Map<String, Quality> texts;
  private final Numbers numbers;
  private final Quality others;

  private QualityMap(Map<String, Quality> texts, Numbers numbers, Quality others) {
    this.texts = texts;
    this.numbers = numbers;
    this.others = others;
  }

  /**
   * The map that a text spells.
   *
   * @throws IllegalArgumentException where it spells none
   */
  public static QualityMap parse(String text) {
    Map<String, Quality> texts = new HashMap<>();
    Numbers numbers = Numbers.NONE;
    Quality others = null;
    for (String part : OptionList.quotedParts(text, ',')) {
      switch (part.strip()) {
        case "opc" -> numbers = Numbers.OPC;
        case "opc-ua" -> numbers = Numbers.OPC_UA;
        case "words" -> WORDS.forEach(texts::putIfAbsent);
        default -> {
          List<String> sides = OptionList.split(part, '=');
          if (sides.size() != 2) {
            throw new IllegalArgumentException(part + ": " + ALLOWED);
          }
          Quality quality = quality(sides.get(1));
          if (sides.get(0).strip().equals("*")) {
            others = quality;
          } else {
            texts.put(key(sides.get(0)), quality);
          }
        }
      }
    }
    return new QualityMap(texts, numbers, others);
  }

  private static Quality quality(String name) {
    if (!key(name).matches("good|uncertain|bad")) {
      throw new IllegalArgumentException(name + ": " + ALLOWED);
    }
    return Quality.valueOf(key(name).toUpperCase(Locale.ROOT));
  }

  /** Whether {@code words} knows the text. */
  public static boolean isWord(String text) {
    return WORDS.containsKey(key(text));
  }

  /** The quality of a text; null where it has none. */
  public Quality of(String text) {
    String key = key(text);
    if (key.isEmpty()) {
      return Quality.GOOD;
    }
    Quality named = texts.get(key);
    if (named != null) {
      return named;
    }
    Quality counted = ofNumber(key);
    return counted == null ? others : counted;
  }

  private Quality ofNumber(String text) {
    if (numbers == Numbers.NONE) {
      return null;
    }
    long number;
    try {
      number = text.startsWith("0x") ? Long.parseLong(text.substring(2), 16) : Long.parseLong(text);
    } catch (NumberFormatException e) {
      return null;
    }
    if (numbers == Numbers.OPC) {
      // Two bits of a byte; vendors have the upper byte of a word to themselves.
      return number < 0 || number > 0xffff ? null : ofTopBits(number >> 6 & 3, true);
    }
    boolean is32Bits = number >= Integer.MIN_VALUE && number <= 0xffffffffL;
    return is32Bits ? ofTopBits(number >> 30 & 3, false) : null;
  }

  private static Quality ofTopBits(long bits, boolean goodIsThree) {
    if (bits == 1) {
      return Quality.UNCERTAIN;
    }
    return bits == (goodIsThree ? 3 : 0) ? Quality.GOOD : Quality.BAD;
  }

  private static String key(String text) {
    return text.strip().toLowerCase(Locale.ROOT);
  }
}
