package io.weir.cli.pages;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The samples of a metrics page in Prometheus's text. Immutable. */
public final class Exposition {
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{.*\\})? ([^ ]+)(?: [0-9]+)?");

  private final Map<String, Double> samples = new TreeMap<>();

  /** Parses a page; ignores lines that are not samples. */
  public Exposition(String page) {
    for (String line : page.split("\n")) {
      Matcher matcher = SAMPLE.matcher(line);
      if (!line.startsWith("#") && matcher.matches()) {
        String labels = matcher.group(2) == null ? "" : matcher.group(2);
        samples.put(matcher.group(1) + labels, number(matcher.group(3)));
      }
    }
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      case "NaN" -> Double.NaN;
      default -> Double.parseDouble(text);
    };
  }

  /** The sum over all label values; 0 if there is none. */
  public double sum(String name) {
    return sum(name, labels -> true);
  }

  /**
   * The sum of the samples with matching labels.
   *
   * @param labels as text with its braces; empty for none
   */
  public double sum(String name, Predicate<String> labels) {
    return samples.entrySet().stream()
        .filter(s -> s.getKey().equals(name) || s.getKey().startsWith(name + "{"))
        .filter(s -> labels.test(s.getKey().substring(name.length())))
        .mapToDouble(Map.Entry::getValue)
        .filter(value -> !Double.isNaN(value))
        .sum();
  }

  /** Each labelled sample of a name, by its labels as text with their braces. */
  public Map<String, Double> of(String name) {
    Map<String, Double> found = new TreeMap<>();
    samples.forEach(
        (key, value) -> {
          if (key.equals(name) || key.startsWith(name + "{")) {
            found.put(key.substring(name.length()), value);
          }
        });
    return found;
  }

  public boolean has(String name) {
    return samples.keySet().stream().anyMatch(k -> k.equals(name) || k.startsWith(name + "{"));
  }
}
