package io.weir.cli.doctor;

import io.weir.cli.pages.Exposition;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * The value of a counter since the start of the processes, and its increase between two samples. A
 * counter keeps old events for ever: one that neither grows nor belongs to a process younger than
 * an hour is old.
 *
 * @param total sum over the processes since their starts
 * @param grown increase between the samples
 * @param over uptime of the oldest process with a value above 0; zero if unknown
 */
record CounterDelta(double total, double grown, Duration over) {
  private static final Duration LATELY = Duration.ofHours(1);
  private static final String UPTIME = "process_uptime_seconds";

  /** The counter of one process. */
  static CounterDelta of(Pages pages, String process, String metric) {
    return one(pages, process, metric, labels -> true);
  }

  /** The sum over all processes. */
  static CounterDelta of(Pages pages, String metric) {
    return of(pages, metric, labels -> true);
  }

  /**
   * The sum over all processes.
   *
   * @param labels selects by the labels' text with braces
   */
  static CounterDelta of(Pages pages, String metric, Predicate<String> labels) {
    CounterDelta all = new CounterDelta(0, 0, Duration.ZERO);
    for (String process : pages.metrics().keySet()) {
      all = all.plus(one(pages, process, metric, labels));
    }
    return all;
  }

  /** The counter of one process, of some labels. */
  static CounterDelta one(Pages pages, String process, String metric, Predicate<String> labels) {
    Exposition page = pages.metrics().get(process);
    double total = page.sum(metric, labels);
    double before =
        pages.earlier().containsKey(process)
            ? pages.earlier().get(process).sum(metric, labels)
            : total;
    // A process that restarted between the samples counts from zero.
    double grown = total < before ? total : total - before;
    long seconds = total > 0 ? (long) page.sum(UPTIME) : 0;
    return new CounterDelta(total, grown, Duration.ofSeconds(seconds));
  }

  private CounterDelta plus(CounterDelta other) {
    return new CounterDelta(
        total + other.total,
        grown + other.grown,
        over.compareTo(other.over) > 0 ? over : other.over);
  }

  /** Whether it grew between the samples, or all of it is from the last hour. */
  boolean isRecent() {
    return grown > 0 || isOfLately();
  }

  /** Whether all of it is from the last hour. */
  boolean isOfLately() {
    return over.compareTo(LATELY) <= 0;
  }

  /** Since when, and the increase, for messages. */
  String when() {
    return since()
        + (grown > 0
            ? String.format(Locale.ROOT, ", %.0f of them during this check", grown)
            : ", none during this check");
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
