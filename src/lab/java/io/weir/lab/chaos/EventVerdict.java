package io.weir.lab.chaos;

import io.weir.lab.oracle.EventCheck;
import io.weir.lab.oracle.EventCounts;
import io.weir.lab.oracle.Findings;
import io.weir.lab.oracle.GroupSummaryCheck;
import io.weir.lab.oracle.PartsCheck;
import io.weir.lab.oracle.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the oracle found of events, timers, folds and groups.
 *
 * @param findings what is not as it must be
 * @param events what there was of events
 * @param groups what there was of groups
 * @param others what there was of handlers and of runs of {@code weir send events}, a line each
 * @param waiting records that were not read, folds and timers that are due, and windows of groups
 *     that changed and were not emitted
 * @param unsettled what was waited for in vain
 */
public record EventVerdict(
    Findings findings,
    EventCounts events,
    GroupCounts groups,
    List<String> others,
    Waits waiting,
    List<String> unsettled) {

  /**
   * What there was of groups.
   *
   * @param parts summaries of sensors that were handed on
   * @param windows of groups
   * @param summaries of these
   * @param tooLate parts for windows that were dropped
   */
  public record GroupCounts(long parts, long windows, long summaries, long tooLate) {}

  /** Whether all is as it must be. */
  public boolean isExact() {
    return findings.areNone() && unsettled.isEmpty();
  }

  List<String> lines() {
    Durations lateness = durations(events.latenessMs());
    Durations foldLateness = durations(events.foldLatenessMs());
    List<String> lines = new ArrayList<>();
    lines.add(
        line(
            "events: %,d on the topics, %,d of them repeats, %,d refused; %,d events in %,d folds",
            events.offered(),
            events.repeated(),
            events.refused(),
            events.folding(),
            events.folds()));
    lines.add(
        line(
            "folds: on the topic after they were due by p50 %s, p99 %s, most %s s",
            foldLateness.percentile(50),
            foldLateness.percentile(99),
            foldLateness.percentile(100)));
    lines.add(
        line(
            "timers: %,d scheduled, %,d replaced, %,d cancelled; %,d came due, %,d repeats missed,"
                + " %,d wait; late by p50 %s, p99 %s, most %s s",
            events.ordered(),
            events.replaced(),
            events.cancelled(),
            events.due(),
            events.missed(),
            events.waiting(),
            lateness.percentile(50),
            lateness.percentile(99),
            lateness.percentile(100)));
    lines.add(
        line(
            "groups: %,d summaries of sensors, %,d windows of groups in %,d emissions, %,d parts"
                + " after their window was dropped",
            groups.parts(), groups.windows(), groups.summaries(), groups.tooLate()));
    lines.addAll(others);
    lines.addAll(findings.lines());
    unsettled.forEach(what -> lines.add("not settled: " + what));
    lines.add(
        line(
            "events, timers, folds, groups and handlers: lost %d, doubled %d, wrong %d: %s",
            findings.lost(),
            findings.doubled(),
            findings.wrongRecords(),
            isExact() ? "exact" : "NOT EXACT"));
    return lines;
  }

  private static Durations durations(List<Long> ofMs) {
    Durations durations = new Durations();
    ofMs.forEach(ms -> durations.add(Duration.ofMillis(ms)));
    return durations;
  }

  private static String line(String format, Object... what) {
    return String.format(Locale.ROOT, format, what);
  }

  /** Adds up partitions. One thread. */
  static final class Builder {
    private final Findings findings = new Findings();
    private EventCounts events = EventCounts.NONE;
    private long parts;
    private long windows;
    private long summaries;
    private long tooLate;
    private final Waits waits = new Waits();
    private final List<String> others = new ArrayList<>();
    private List<String> unsettled = List.of();

    void add(EventCheck check, long nowMs) {
      findings.add(check.findings());
      events = events.plus(check.counts());
      check.waiting(nowMs, waits);
    }

    void add(GroupSummaryCheck check) {
      findings.add(check.findings());
      windows += check.windows();
      summaries += check.summaries();
      tooLate += check.tooLate();
      check.waiting(waits);
    }

    Builder add(PartsCheck check) {
      findings.add(check.findings());
      parts = check.parts();
      return this;
    }

    /** What was found otherwise, and a line about it. */
    void add(Findings found, String line) {
      findings.add(found);
      others.add(line);
    }

    /** A summary of a sensor was not read. */
    void unread() {
      waits.add("unread windows of sensors", 1);
    }

    Builder unsettled(List<String> what) {
      unsettled = List.copyOf(what);
      return this;
    }

    Findings findings() {
      return findings;
    }

    Waits waits() {
      return waits;
    }

    EventVerdict build() {
      return new EventVerdict(
          findings,
          events,
          new GroupCounts(parts, windows, summaries, tooLate),
          List.copyOf(others),
          waits,
          unsettled);
    }
  }
}
