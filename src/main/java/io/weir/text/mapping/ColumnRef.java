package io.weir.text.mapping;

import java.util.List;

/** A column by its name or, where none has that name, by its position from 1. */
public record ColumnRef(String text) {
  /** What a column that is not there is. */
  public static final int NONE = -1;

  /**
   * The column's place from 0, or {@link #NONE}. Upper and lower case are distinguished only where
   * two names differ by nothing else.
   *
   * @param names of all columns; may be empty texts
   */
  public int in(List<String> names) {
    int exact = names.indexOf(text);
    if (exact >= 0) {
      return exact;
    }
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).equalsIgnoreCase(text)) {
        return i;
      }
    }
    if (text.matches("[0-9]{1,6}")) {
      int place = Integer.parseInt(text) - 1;
      return place >= 0 && place < names.size() ? place : NONE;
    }
    return NONE;
  }
}
