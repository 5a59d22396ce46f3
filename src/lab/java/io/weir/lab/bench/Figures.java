package io.weir.lab.bench;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** What one run measured. Immutable. */
public final class Figures {
  public static final Figures NONE = new Figures(new EnumMap<>(Figure.class));

  private final EnumMap<Figure, Double> values;

  private Figures(EnumMap<Figure, Double> values) {
    this.values = values;
  }

  public static Figures of(Map<Figure, Double> values) {
    return values.isEmpty() ? NONE : new Figures(new EnumMap<>(values));
  }

  /** Reads what {@link #toString()} wrote. */
  static Figures parse(String line) {
    EnumMap<Figure, Double> values = new EnumMap<>(Figure.class);
    for (String word : line.strip().split(" ")) {
      int equals = word.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("no figures: " + line);
      }
      values.put(
          Figure.ofKey(word.substring(0, equals)), Double.valueOf(word.substring(equals + 1)));
    }
    return new Figures(values);
  }

  Figures with(Figure figure, double value) {
    EnumMap<Figure, Double> more = new EnumMap<>(values);
    more.put(figure, value);
    return new Figures(more);
  }

  Figures with(Figures others) {
    EnumMap<Figure, Double> more = new EnumMap<>(values);
    more.putAll(others.values);
    return new Figures(more);
  }

  public OptionalDouble get(Figure figure) {
    Double value = values.get(figure);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  public Map<Figure, Double> all() {
    return Collections.unmodifiableMap(values);
  }

  /** One line: {@code key=value} for each figure, separated by blanks. */
  @Override
  public String toString() {
    return values.entrySet().stream()
        .map(value -> value.getKey().key() + "=" + value.getValue())
        .collect(Collectors.joining(" "));
  }
}
