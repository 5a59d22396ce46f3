package io.weir.cli.doctor;

import io.weir.cli.pages.Exposition;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * What processes counted since they started, and how much of it between two looks. A counter says
 * for ever what happened once: what is neither of the last hour nor grows is of the past.
 *
 * @param total since their starts, all together
 * @param grown of it between the looks
 * @param over how long the oldest of those that counted something has run; zero where no page says
 */
record Counted(double total, double grown, Duration over) {
  private static final Duration LATELY = Duration.ofHours(1);
  private static final String UPTIME = "process_uptime_seconds";

  /** Of one process. */
  static Counted of(Pages pages, String process, String metric) {
    return one(pages, process, metric, labels -> true);
  }

  /** Of all of them together. */
  static Counted of(Pages pages, String metric) {
    return of(pages, metric, labels -> true);
  }

  /**
   * Of all of them together.
   *
   * @param labels as text with its braces
   */
  static Counted of(Pages pages, String metric, Predicate<String> labels) {
    Counted all = new Counted(0, 0, Duration.ZERO);
    for (String process : pages.metrics().keySet()) {
      all = all.plus(one(pages, process, metric, labels));
    }
    return all;
  }

  private static Counted one(Pages pages, String process, String metric, Predicate<String> labels) {
    Exposition page = pages.metrics().get(process);
    double total = page.sum(metric, labels);
    double before =
        pages.earlier().containsKey(process)
            ? pages.earlier().get(process).sum(metric, labels)
            : total;
    // A process that was started again between the looks counts from zero.
    double grown = total < before ? total : total - before;
    long seconds = total > 0 ? (long) page.sum(UPTIME) : 0;
    return new Counted(total, grown, Duration.ofSeconds(seconds));
  }

  private Counted plus(Counted other) {
    return new Counted(
        total + other.total,
        grown + other.grown,
        over.compareTo(other.over) > 0 ? over : other.over);
  }

  /** Whether some of it came between the looks, or all of it within the last hour. */
  boolean isRecent() {
    return grown > 0 || isOfLately();
  }

  /** Whether all of it came within the last hour. */
  boolean isOfLately() {
    return over.compareTo(LATELY) <= 0;
  }

  /** Since when, and whether it goes on, for messages. */
  String when() {
    return since()
        + (grown > 0
            ? String.format(Locale.ROOT, ", %.0f of it between the looks", grown)
            : ", none of it between the looks");
  }

  /** Since when, for messages. */
  String since() {
    return over.isZero() ? "since the start" : "in the " + age() + " since the start";
  }

  private String age() {
    long seconds = over.toSeconds();
    if (seconds < 120) {
      return seconds + " s";
    }
    long minutes = seconds / 60;
    if (minutes < 120) {
      return minutes + " min";
    }
    return minutes < 48 * 60 ? minutes / 60 + " h" : minutes / (24 * 60) + " d";
  }
}
