package io.weir.internal.text.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which columns are what. An empty list is the default of the form at hand.
 *
 * @param sensorId at most one
 * @param timestamp one, or several whose texts are joined by a blank (date and time of day)
 * @param value one or, in a wide file, several
 * @param quality at most one
 */
public record Columns(
    List<ColumnRef> sensorId,
    List<ColumnRef> timestamp,
    List<ColumnRef> value,
    List<ColumnRef> quality) {
  /** Nothing said. */
  public static final Columns DEFAULT = new Columns(List.of(), List.of(), List.of(), List.of());

  private static final Set<String> NAMES = Set.of("sensor_id", "timestamp", "value", "quality");

  /**
   * {@code sensor_id=Tag,timestamp=Date+Time,value=Reading,quality=Status}, in any order.
   *
   * @throws IllegalArgumentException where it is something else
   */
  static Columns parse(String text) {
    Map<String, String> pairs = OptionList.pairs(text);
    for (String name : pairs.keySet()) {
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException(
            name + ": expected: sensor_id, timestamp, value or quality before the =");
      }
    }
    return new Columns(
        refs(pairs.get("sensor_id"), false),
        refs(pairs.get("timestamp"), true),
        refs(pairs.get("value"), true),
        refs(pairs.get("quality"), false));
  }

  private static List<ColumnRef> refs(String text, boolean several) {
    if (text == null) {
      return List.of();
    }
    List<ColumnRef> refs = new ArrayList<>();
    for (String name : OptionList.split(text, several ? '+' : '\0')) {
      if (name.isBlank()) {
        throw new IllegalArgumentException("expected: the name or number of a column after the =");
      }
      refs.add(new ColumnRef(name.strip()));
    }
    return List.copyOf(refs);
  }
}
