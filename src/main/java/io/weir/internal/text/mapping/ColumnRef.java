package io.weir.internal.text.mapping;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** A column by its name or, where none has that name, by its position from 1. */
public record ColumnRef(String text) {
  /** What a column that is not there is. */
  public static final int NONE = -1;

  /**
   * The column's place from 0, or {@link #NONE}. Upper and lower case are distinguished only where
   * two names differ by nothing else.
   *
   * @param names of all columns; may be empty texts
   * @throws IllegalArgumentException where several columns have the name
   */
  public int in(List<String> names) {
    int exact = only(names, text::equals);
    int found = exact == NONE ? only(names, text::equalsIgnoreCase) : exact;
    if (found != NONE || !text.matches("[0-9]{1,6}")) {
      return found;
    }
    int place = Integer.parseInt(text) - 1;
    return place >= 0 && place < names.size() ? place : NONE;
  }

  private int only(List<String> names, Predicate<String> fits) {
    int[] places = IntStream.range(0, names.size()).filter(i -> fits.test(names.get(i))).toArray();
    if (places.length > 1) {
      throw new IllegalArgumentException(
          "%d columns are named %s; choose by number, such as %d"
              .formatted(places.length, text, places[0] + 1));
    }
    return places.length == 0 ? NONE : places[0];
  }
}
