package io.weir.internal.text;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Line protocol by regular expressions, as InfluxData's page defines it. */
final class NaivePoints {
  private static final String TEXT = "(?:[^,= ]|(?<=\\\\)[,= ])++";
  private static final String QUOTED = "\"(?:[^\"\\\\]|\\\\.)*+\"";
  private static final String VALUE = "(?:" + QUOTED + "|(?!\")" + TEXT + ")";
  private static final Pattern LINE =
      Pattern.compile(
          " *+(?<measurement>(?![#,])(?:[^, ]|(?<=\\\\)[, ])++)(?<tags>(?:,"
              + TEXT
              + "="
              + TEXT
              + ")*+) ++(?<fields>"
              + TEXT
              + "="
              + VALUE
              + "(?:,"
              + TEXT
              + "="
              + VALUE
              + ")*+)(?: ++(?<timestamp>[^ ]++))? *+",
          Pattern.DOTALL);
  private static final Pattern TAG =
      Pattern.compile("(?<key>" + TEXT + ")=(?<value>" + TEXT + ")", Pattern.DOTALL);
  private static final Pattern FIELD =
      Pattern.compile("(?<key>" + TEXT + ")=(?<value>" + VALUE + ")", Pattern.DOTALL);
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?");

  private NaivePoints() {}

  /** The readings of a line in short; empty where it is bad, for whatever reason. */
  static Optional<List<String>> readings(String line) {
    Matcher whole = LINE.matcher(line);
    if (!whole.matches() || whole.group("timestamp") == null) {
      return Optional.empty();
    }
    // The order of UTF-8's bytes is that of code points.
    TreeMap<String, String> tags =
        new TreeMap<>((a, b) -> Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray()));
    String tagText = whole.group("tags");
    if (!tagText.isEmpty()) {
      Matcher tag = TAG.matcher(tagText.substring(1));
      while (tag.find()) {
        if (tags.put(tag.group("key"), tag.group("value")) != null) {
          return Optional.empty();
        }
      }
    }
    StringBuilder series = new StringBuilder(whole.group("measurement"));
    tags.forEach((key, value) -> series.append(',').append(key).append('=').append(value));
    return fields(series.toString(), whole.group("fields"), whole.group("timestamp"));
  }

  private static Optional<List<String>> fields(String series, String fields, String timestamp) {
    if (!timestamp.matches("-?[0-9]{1,19}")) {
      return Optional.empty();
    }
    BigInteger nanos = new BigInteger(timestamp);
    BigInteger millis = nanos.divide(BigInteger.valueOf(1_000_000));
    if (nanos.bitLength() > 63 || millis.signum() <= 0) {
      return Optional.empty();
    }
    List<String> readings = new ArrayList<>();
    Set<String> keys = new HashSet<>();
    Matcher field = FIELD.matcher(fields);
    while (field.find()) {
      if (!keys.add(field.group("key"))) {
        return Optional.empty();
      }
      String value = field.group("value");
      if (!value.startsWith("\"")) {
        Optional<Double> number = number(value);
        if (number.isEmpty() || !Double.isFinite(number.get())) {
          return Optional.empty();
        }
        String key = field.group("key").replaceAll("\\\\([,= ])", "$1");
        readings.add(series + " " + key + " " + millis + " " + number.get() + " GOOD");
      }
    }
    return readings.isEmpty() ? Optional.empty() : Optional.of(readings);
  }

  private static Optional<Double> number(String text) {
    if (text.matches("-?[0-9]{1,19}i") || text.matches("[0-9]+u")) {
      String digits = text.substring(0, text.length() - 1);
      BigInteger integer = new BigInteger(digits);
      boolean fits = text.endsWith("i") ? integer.bitLength() < 64 : integer.bitLength() <= 64;
      return fits ? Optional.of(Double.parseDouble(digits)) : Optional.empty();
    }
    if (text.matches("t|T|true|True|TRUE")) {
      return Optional.of(1.0);
    }
    if (text.matches("f|F|false|False|FALSE")) {
      return Optional.of(0.0);
    }
    return DECIMAL.matcher(text).matches()
        ? Optional.of(Double.parseDouble(text))
        : Optional.empty();
  }
}
