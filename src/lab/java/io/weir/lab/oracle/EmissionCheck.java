package io.weir.lab.oracle;

import io.weir.internal.window.CloseReason;
import io.weir.v1.WindowSummary;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * The windows that were emitted, held one by one against those that had to be: content, reason,
 * revision, and their order on the topic, which is that of the records that caused them. Takes all
 * emissions of a partition first, then the records. One thread.
 */
final class EmissionCheck implements Emissions {
  private record Emitted(long offset, WindowSummary window) {}

  private static final class Course {
    final ArrayDeque<Emitted> ahead = new ArrayDeque<>();
    int nextRevision;
    boolean isFinal;
  }

  private final long sizeMs;
  private final boolean inOrder;
  private final Map<NaiveWindows.Key, Course> courses = new HashMap<>();
  private final Findings wrong = new Findings();
  private long beforeRecord;
  private long newest;

  /**
   * @param inOrder whether records decide when to emit, and so the order
   */
  EmissionCheck(long sizeMs, boolean inOrder) {
    this.sizeMs = sizeMs;
    this.inOrder = inOrder;
  }

  /** Takes an emission; in the order of offsets. */
  void emitted(long offset, WindowSummary window) {
    NaiveWindows.Key key = new NaiveWindows.Key(window.getSensorId(), window.getWindowStartMs());
    courses.computeIfAbsent(key, k -> new Course()).ahead.add(new Emitted(offset + 1, window));
  }

  /** The next record of the readings begins. */
  void nextRecord() {
    beforeRecord = newest;
  }

  @Override
  public long position() {
    return beforeRecord;
  }

  @Override
  public void due(
      NaiveWindows.Key key, CloseReason reason, NaiveWindows.Window content, long since) {
    Course course = courses.get(key);
    Emitted emitted = course == null ? null : course.ahead.poll();
    if (emitted == null) {
      wrong.wrongRecord(key + " not emitted " + reason + ": " + content);
      return;
    }
    WindowSummary window = emitted.window();
    if (window.getCloseReasonValue() != reason.number() || !WindowCheck.matches(content, window)) {
      wrong.wrongRecord(
          key + " emitted " + WindowCheck.shown(window) + ", not " + reason + " " + content);
    }
    if (course.isFinal || window.getIsFinal() != reason.isFinal()) {
      wrong.wrongRecord(
          key + (course.isFinal ? " emitted after its final summary" : " is_final is wrong"));
    }
    course.isFinal = window.getIsFinal();
    checkRevision(key, course, window);
    if (inOrder && emitted.offset() <= since) {
      wrong.wrongRecord(
          key + " emitted too early or another one too late: " + WindowCheck.shown(window));
    }
    newest = Math.max(newest, emitted.offset());
  }

  @Override
  public void beginsAgain(NaiveWindows.Key key) {
    Course course = courses.get(key);
    if (course != null) {
      course.nextRevision = 0;
      course.isFinal = false;
    }
  }

  @Override
  public boolean optional(NaiveWindows.Key key, NaiveWindows.Window content, long since) {
    Course course = courses.get(key);
    Emitted emitted = course == null ? null : course.ahead.peek();
    if (emitted == null
        || emitted.window().getCloseReasonValue() != CloseReason.IDLE.number()
        || !WindowCheck.matches(content, emitted.window())
        || (inOrder && emitted.offset() <= since)) {
      return false;
    }
    course.ahead.poll();
    checkRevision(key, course, emitted.window());
    return true;
  }

  private void checkRevision(NaiveWindows.Key key, Course course, WindowSummary window) {
    if (window.getRevision() != course.nextRevision) {
      wrong.wrongRecord(
          key + " emitted as revision " + window.getRevision() + ", not " + course.nextRevision);
    }
    course.nextRevision = window.getRevision() + 1;
    if (window.getWindowEndMs() != window.getWindowStartMs() + sizeMs) {
      wrong.wrongRecord(key + " ends at " + window.getWindowEndMs());
    }
  }

  void report(Findings findings) {
    findings.add(wrong);
    courses.forEach(
        (key, course) ->
            course.ahead.forEach(
                emitted ->
                    findings.wrongRecord(
                        key + " emitted without cause: " + WindowCheck.shown(emitted.window()))));
  }
}
