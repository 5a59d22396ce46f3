package io.weir.lab.oracle;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What is still under way, by its kind. Not safe for several threads. */
public final class Waits {
  private final Map<String, Long> counts = new TreeMap<>();

  /**
   * Adds a number of them.
   *
   * @param kind in plural
   */
  public void add(String kind, long count) {
    if (count > 0) {
      counts.merge(kind, count, Long::sum);
    }
  }

  /** All of them. */
  public long total() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Number and kind of each, or {@code nothing}. */
  @Override
  public String toString() {
    return counts.isEmpty()
        ? "nothing"
        : counts.entrySet().stream()
            .map(each -> String.format("%,d %s", each.getValue(), each.getKey()))
            .collect(Collectors.joining(", "));
  }
}
