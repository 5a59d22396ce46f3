package io.weir.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.window.CloseReason;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.lab.oracle.Emissions;
import io.weir.lab.oracle.NaiveWindows;
import io.weir.v1.WindowSummary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rollups of one size, or hopping windows: those that were due, and those that came. */
final class SpansDue implements Emissions {
  private final List<String> due = new ArrayList<>();
  private final List<String> got = new ArrayList<>();
  private final Map<NaiveWindows.Key, Integer> revisions = new HashMap<>();
  final Map<NaiveWindows.Key, WindowSummary> latest = new HashMap<>();
  long overflowed;

  void take(WindowSummary rollup) {
    NaiveWindows.Key key = new NaiveWindows.Key(rollup.getSensorId(), rollup.getWindowStartMs());
    latest.put(key, rollup);
    String reason = rollup.getCloseReason().name().substring("CLOSE_REASON_".length());
    got.add(
        brief(key, reason, rollup.getRevision(), rollup.getCount(), rollup.getBadCount())
            + rollup.getSum());
  }

  void check() {
    assertThat(got).containsExactlyInAnyOrderElementsOf(due);
    got.clear();
    due.clear();
  }

  @Override
  public long position() {
    return 0;
  }

  @Override
  public void due(
      NaiveWindows.Key key, CloseReason reason, NaiveWindows.Window content, long since) {
    int revision = revisions.merge(key, 0, (before, zero) -> before + 1);
    overflowed += overflows(content) ? 1 : 0;
    double sum = content.sum().doubleValue();
    due.add(brief(key, reason.name(), revision, content.count(), content.badCount()) + sum);
  }

  @Override
  public void beginsAgain(NaiveWindows.Key key) {
    revisions.remove(key);
  }

  @Override
  public boolean optional(NaiveWindows.Key key, NaiveWindows.Window content, long since) {
    return false;
  }

  /** Whether integral and counter are left out of a summary though their sets are on. */
  static boolean overflows(NaiveWindows.Window content) {
    int sampled = content.sets() & (StatisticSet.INTEGRAL.bit() | StatisticSet.COUNTER.bit());
    if (sampled == 0 || content.count() == 0) {
      return false;
    }
    WindowSummary fields = content.statistics().expected(sampled);
    return !fields.hasIntegral() && !fields.hasIncrease();
  }

  static String brief(
      NaiveWindows.Key key, String reason, int revision, long count, long badCount) {
    return key + " " + reason + " r" + revision + " n" + count + " bad" + badCount + " ";
  }
}
