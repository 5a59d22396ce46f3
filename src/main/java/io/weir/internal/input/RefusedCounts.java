package io.weir.internal.input;

import java.util.Map;
import java.util.TreeMap;

/** How many readings of a request are refused, by reason. Not thread-safe. */
public final class RefusedCounts {
  private static final int MOST_TEXT = 1_024;

  private final Map<String, Integer> byReason = new TreeMap<>();
  private int all;
  private int firstPlace;

  /**
   * One is refused.
   *
   * @param place the number of its series in the request, from 1
   */
  public void add(String reason, int place) {
    if (all++ == 0) {
      firstPlace = place;
    }
    byReason.merge(reason, 1, Integer::sum);
  }

  public int all() {
    return all;
  }

  public Map<String, Integer> byReason() {
    return byReason;
  }

  /**
   * Names reasons, and the first place.
   *
   * @param of what there are, such as {@code 2000 samples}
   * @param place what a place is
   */
  public String message(String of, String place) {
    StringBuilder text = new StringBuilder("%d of %s refused:".formatted(all, of));
    byReason.forEach((reason, number) -> text.append(" %s %d".formatted(reason, number)));
    text.append("; first: ").append(place).append(' ').append(firstPlace);
    text.setLength(Math.min(text.length(), MOST_TEXT));
    return text.toString();
  }
}
