package io.weir.internal.serve;

import io.weir.internal.time.DurationText;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The parameters of a question. What is not known, twice there or not UTF-8 is refused. */
final class Parameters {
  private static final int MAX_QUERY = 8_192;
  private static final int MAX_ID_BYTES = 4_096;

  private final Map<String, String> values;

  private Parameters(Map<String, String> values) {
    this.values = values;
  }

  /**
   * Reads a query.
   *
   * @param rawQuery as the client sent it; may be null
   * @throws Problem if there are others, or one is wrong
   */
  static Parameters of(String rawQuery, Set<String> known) {
    Map<String, String> values = new LinkedHashMap<>();
    if (rawQuery == null || rawQuery.isEmpty()) {
      return new Parameters(values);
    }
    if (rawQuery.length() > MAX_QUERY) {
      throw Problem.of(414, "the query is longer than " + MAX_QUERY + " bytes");
    }
    for (String part : rawQuery.split("&", -1)) {
      int equals = part.indexOf('=');
      String name = decoded("query", equals < 0 ? part : part.substring(0, equals));
      if (!known.contains(name)) {
        throw Problem.parameter(shown(name), "unknown parameter; expected: " + expected(known));
      }
      String value = equals < 0 ? "" : decoded(name, part.substring(equals + 1));
      if (values.put(name, value) != null) {
        throw Problem.parameter(name, "it is there twice");
      }
    }
    return new Parameters(values);
  }

  private static String expected(Set<String> known) {
    return known.isEmpty() ? "none" : String.join(", ", known.stream().sorted().toList());
  }

  private static String shown(String name) {
    return name.length() <= 64 ? name : name.substring(0, 64);
  }

  /** Percent-decodes strictly: {@code URLDecoder} replaces what is not UTF-8. */
  static String decoded(String parameter, String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        boolean whole = i + 2 < text.length();
        int high = whole ? Character.digit(text.charAt(i + 1), 16) : -1;
        int low = whole ? Character.digit(text.charAt(i + 2), 16) : -1;
        if (high < 0 || low < 0) {
          throw Problem.parameter(parameter, "it is not percent-encoded");
        }
        bytes.write(high << 4 | low);
        i += 2;
      } else {
        bytes.writeBytes((c == '+' ? " " : String.valueOf(c)).getBytes(StandardCharsets.UTF_8));
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw Problem.parameter(parameter, "it is not UTF-8");
    }
  }

  /** All but one. */
  Map<String, String> others(String name) {
    Map<String, String> others = new LinkedHashMap<>(values);
    others.remove(name);
    return others;
  }

  Optional<String> find(String name) {
    return Optional.ofNullable(values.get(name)).filter(value -> !value.isEmpty());
  }

  String text(String name) {
    return values.getOrDefault(name, "");
  }

  /** An id that has to be there. */
  String id() {
    String id = find("id").orElseThrow(() -> Problem.parameter("id", "it is missing"));
    if (id.getBytes(StandardCharsets.UTF_8).length > MAX_ID_BYTES) {
      throw Problem.parameter("id", "it is longer than " + MAX_ID_BYTES + " bytes");
    }
    return id;
  }

  int limit() {
    return integer("limit", 1, 1_000).orElse(100);
  }

  Optional<Integer> integer(String name, int min, int max) {
    return find(name)
        .map(
            text -> {
              if (text.matches("\\d{1,9}")) {
                int value = Integer.parseInt(text);
                if (value >= min && value <= max) {
                  return value;
                }
              }
              throw Problem.parameter(name, "expected: " + min + " to " + max);
            });
  }

  /** A number of 0 or more. */
  Optional<Long> number(String name) {
    return find(name)
        .map(
            text -> {
              if (!text.matches("\\d{1,18}")) {
                throw Problem.parameter(name, "expected: a number");
              }
              return Long.parseLong(text);
            });
  }

  /** A moment: milliseconds since the Unix epoch, RFC 3339, or {@code -1h}. */
  Optional<Long> moment(String name, long nowMs) {
    return find(name)
        .map(
            text -> {
              try {
                if (text.matches("\\d{1,18}")) {
                  return Long.parseLong(text);
                }
                if (text.startsWith("-")) {
                  return nowMs - DurationText.parse(text.substring(1)).toMillis();
                }
                return OffsetDateTime.parse(text.replace(' ', '+')).toInstant().toEpochMilli();
              } catch (IllegalArgumentException | DateTimeParseException | ArithmeticException e) {
                throw Problem.parameter(
                    name, "expected: milliseconds, 2027-01-01T00:00:00Z, or -1h");
              }
            });
  }

  Optional<Duration> duration(String name) {
    return find(name)
        .map(
            text -> {
              try {
                return DurationText.parse(text);
              } catch (IllegalArgumentException e) {
                throw Problem.parameter(name, "expected: a duration such as 10s or 1h");
              }
            });
  }

  /** One of some words. */
  Optional<String> word(String name, List<String> words) {
    return find(name)
        .map(
            text -> {
              if (!words.contains(text)) {
                throw Problem.parameter(name, "expected: " + String.join(", ", words));
              }
              return text;
            });
  }
}
