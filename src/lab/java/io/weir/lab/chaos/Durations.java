package io.weir.lab.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Durations, and which of them most were below. Safe for many threads. */
final class Durations {
  private final List<Duration> all = new ArrayList<>();

  synchronized void add(Duration duration) {
    all.add(duration);
  }

  synchronized int count() {
    return all.size();
  }

  /** How many were that long or shorter. */
  synchronized long within(Duration limit) {
    return all.stream().filter(duration -> duration.compareTo(limit) <= 0).count();
  }

  /** The smallest that so many percent are not above, in seconds; - where there are none. */
  synchronized String percentile(int percent) {
    if (all.isEmpty()) {
      return "-";
    }
    List<Duration> sorted = new ArrayList<>(all);
    Collections.sort(sorted);
    int index = (int) Math.ceil(percent / 100.0 * sorted.size()) - 1;
    return seconds(sorted.get(Math.max(0, index)));
  }

  static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.1f", duration.toMillis() / 1000.0);
  }
}
