package io.weir.lab.oracle;

import io.weir.internal.explain.NaiveStatistics;
import io.weir.v1.WindowSummary;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The latest summaries of windows, which are their last emissions, compared with the naive ones:
 * counts, min and max equal, sums the exact ones rounded once, bit by bit.
 */
final class WindowCheck {
  private final Map<NaiveWindows.Key, WindowSummary> summaries = new HashMap<>();
  private long emitted;
  private long readings;

  void emitted(WindowSummary window) {
    emitted++;
    NaiveWindows.Key key = new NaiveWindows.Key(window.getSensorId(), window.getWindowStartMs());
    WindowSummary before = summaries.put(key, window);
    readings += readingsOf(window) - (before == null ? 0 : readingsOf(before));
  }

  private static long readingsOf(WindowSummary window) {
    return window.getCount() + window.getBadCount();
  }

  boolean has(NaiveWindows.Key key) {
    return summaries.containsKey(key);
  }

  long emitted() {
    return emitted;
  }

  int windows() {
    return summaries.size();
  }

  /** Readings in the latest summaries. */
  long readings() {
    return readings;
  }

  /** Whether the record of a window has as many readings as it has. */
  boolean hasAsMany(NaiveWindows.Key key, NaiveWindows.Window window) {
    return readingsOf(summaries.getOrDefault(key, WindowSummary.getDefaultInstance()))
        >= window.count() + window.badCount();
  }

  /**
   * @param left windows that are left as they are published with as many readings
   * @param lives the records of all lives, in their order
   */
  void report(
      NaiveWindows expected,
      Set<NaiveWindows.Key> left,
      List<WindowCheck> lives,
      Findings findings) {
    Set<NaiveWindows.Key> keys = new HashSet<>(summaries.keySet());
    keys.addAll(expected.windows().keySet());
    keys.removeAll(left);
    for (NaiveWindows.Key key : left) {
      reportLeft(key, expected.windows().get(key), lives, findings);
    }
    for (NaiveWindows.Key key : keys) {
      NaiveWindows.Window due = expected.windows().getOrDefault(key, NaiveWindows.Window.EMPTY);
      WindowSummary got = summaries.getOrDefault(key, WindowSummary.getDefaultInstance());
      reportReadings(key, due, got, findings);
      if (!matches(due, got)) {
        findings.wrongWindow(key + " is " + shown(got) + ", not " + due);
      }
    }
  }

  private static void reportLeft(
      NaiveWindows.Key key, NaiveWindows.Window due, List<WindowCheck> lives, Findings findings) {
    WindowSummary newest = WindowSummary.getDefaultInstance();
    for (WindowCheck life : lives) {
      newest = life.summaries.getOrDefault(key, newest);
    }
    long lost = due.count() + due.badCount() - readingsOf(newest);
    if (lost > 0) {
      findings.lost(lost, "window " + key + ", which nobody has published with as many");
    }
  }

  /** Readings that were not emitted of windows that are left. */
  long left(NaiveWindows expected, Set<NaiveWindows.Key> windows) {
    long left = 0;
    for (NaiveWindows.Key key : windows) {
      NaiveWindows.Window due = expected.windows().getOrDefault(key, NaiveWindows.Window.EMPTY);
      WindowSummary got = summaries.getOrDefault(key, WindowSummary.getDefaultInstance());
      left += due.count() + due.badCount() - readingsOf(got);
    }
    return left;
  }

  /** Reports windows that a later life has replaced by records with fewer readings. */
  void reportReplaced(WindowCheck later, Findings findings) {
    summaries.forEach(
        (key, window) -> {
          long lost = readingsOf(window) - readingsOf(later.summaries.getOrDefault(key, window));
          if (lost > 0) {
            findings.lost(lost, "window " + key + ", which an earlier life published in full");
          }
        });
  }

  private static void reportReadings(
      NaiveWindows.Key key, NaiveWindows.Window due, WindowSummary got, Findings findings) {
    long surplus = readingsOf(got) - due.count() - due.badCount();
    if (surplus < 0) {
      findings.lost(-surplus, "window " + key);
    } else if (surplus > 0) {
      findings.doubled(surplus, "window " + key);
    }
  }

  /** Whether an emission holds exactly that. */
  static boolean matches(NaiveWindows.Window due, WindowSummary got) {
    return due.count() == got.getCount()
        && due.badCount() == got.getBadCount()
        && Double.doubleToRawLongBits(due.min()) == Double.doubleToRawLongBits(got.getMin())
        && Double.doubleToRawLongBits(due.max()) == Double.doubleToRawLongBits(got.getMax())
        && NaiveWindows.isRoundedSum(due.sum(), got.getSum())
        && due.statisticsAreIn(got);
  }

  static String shown(WindowSummary window) {
    return "[count=%d, badCount=%d, sum=%s, min=%s, max=%s, revision=%d, %s%s]"
        .formatted(
            window.getCount(),
            window.getBadCount(),
            window.getSum(),
            window.getMin(),
            window.getMax(),
            window.getRevision(),
            window.getCloseReason(),
            NaiveStatistics.shown(window));
  }
}
