package io.weir.group;

import io.weir.group.GroupWindow.Name;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * The windows of a partition's groups. A window is emitted at the first record whose log time is at
 * or past its last change + quiet, or the first change since it was last emitted + hold; it is
 * dropped at keep after its last change, and later parts are ignored. Log time is the sum of the
 * gaps between records' append times, so that no clock that goes back can hold a window for longer.
 * Above the memory limit, windows of a writer above its share are dropped first, see {@link
 * WriterShares}. The cost of an emission is proportional to the window's sensors, that of finding
 * due windows to their number. Not thread-safe.
 */
public final class Groups {
  /** The result of adding a part. */
  public enum Outcome {
    /** It replaced the sensor's previous part. */
    TAKEN,
    /** It equals the sensor's previous part. */
    UNCHANGED,
    /** Its window was dropped. */
    WINDOW_DROPPED,
    /** Its sensor is new and the window has the maximum number of sensors. */
    TOO_MANY_SENSORS
  }

  /** Receives the windows of groups. */
  public interface Sink {
    /** A window is to be emitted. */
    void emit(Name window, GroupTotal total, int revision);

    /**
     * A window was dropped; it was emitted before if it had changed.
     *
     * @param early whether it made room for others
     */
    void dropped(Name window, boolean early);
  }

  private final GroupSpec spec;
  private final Map<Name, GroupWindow> windows = new HashMap<>();

  /** All windows, the one that did not change for longest first. */
  private final TreeSet<GroupWindow> byLastChange = inOrder(GroupWindow::lastChangeMs);

  /** Those that changed since they were last emitted, by their last change and by their first. */
  private final TreeSet<GroupWindow> quiet = inOrder(GroupWindow::lastChangeMs);

  private final TreeSet<GroupWindow> held = inOrder(GroupWindow::firstChangeMs);
  private final WriterShares<GroupWindow> shares;
  private final GroupMarks marks;
  private final Set<GroupWindow> touched = new LinkedHashSet<>();
  private final List<GroupWindow> ended = new ArrayList<>();
  private long bytes;

  public Groups(GroupSpec spec) {
    this.spec = spec;
    this.shares = new WriterShares<>(order(GroupWindow::lastChangeMs), spec.maxBytes());
    this.marks = new GroupMarks(spec.marksMs(), spec.maxBytes() / 4);
  }

  /**
   * Takes the newest part of a sensor. Before that its window is emitted or dropped if that is due;
   * after it, windows are dropped until all that are left have room.
   *
   * @param logMs log time of the record, never less than before
   */
  public Outcome put(Name name, String sensorId, SensorPart part, long logMs, Sink sink) {
    GroupWindow window = windows.get(name);
    if (window != null) {
      doDue(window, logMs, sink);
      window = windows.get(name);
    }
    if (window == null && marks.isDropped(name, logMs)) {
      return Outcome.WINDOW_DROPPED;
    }
    SensorPart before = window == null ? null : window.parts().get(sensorId);
    if (part.equals(before)) {
      return Outcome.UNCHANGED;
    }
    if (window != null && before == null && window.parts().size() >= spec.maxSensors()) {
      return Outcome.TOO_MANY_SENSORS;
    }
    if (window == null) {
      window = new GroupWindow(name);
      windows.put(name, window);
      grow(window, window.ownBytes());
    }
    unlink(window);
    window.put(sensorId, part, logMs);
    link(window);
    grow(window, part.memoryBytes(sensorId) - (before == null ? 0 : before.memoryBytes(sensorId)));
    touched.add(window);
    makeRoom(logMs, sink);
    return Outcome.TAKEN;
  }

  private void grow(GroupWindow window, long more) {
    bytes += more;
    shares.grow(window.name().group(), more);
  }

  private void unlink(GroupWindow window) {
    byLastChange.remove(window);
    shares.remove(window.name().group(), window);
    quiet.remove(window);
    held.remove(window);
  }

  private void link(GroupWindow window) {
    byLastChange.add(window);
    shares.add(window.name().group(), window);
    if (window.isPending()) {
      quiet.add(window);
      held.add(window);
    }
  }

  private void makeRoom(long logMs, Sink sink) {
    while (bytes > spec.maxBytes() && !byLastChange.isEmpty()) {
      GroupWindow ofMost = shares.firstAboveShare();
      GroupWindow oldest = ofMost == null ? byLastChange.first() : ofMost;
      drop(oldest, logMs, logMs < keptUntilMs(oldest), sink);
    }
  }

  private long emittedAtMs(GroupWindow window) {
    return window.isPending()
        ? Math.min(window.lastChangeMs() + spec.quietMs(), window.firstChangeMs() + spec.holdMs())
        : Long.MAX_VALUE;
  }

  private long keptUntilMs(GroupWindow window) {
    return window.lastChangeMs() + spec.keepMs();
  }

  private void doDue(GroupWindow window, long logMs, Sink sink) {
    if (emittedAtMs(window) <= logMs) {
      emit(window, sink);
    }
    if (keptUntilMs(window) <= logMs) {
      drop(window, logMs, false, sink);
    }
  }

  private void emit(GroupWindow window, Sink sink) {
    quiet.remove(window);
    held.remove(window);
    touched.add(window);
    sink.emit(window.name(), GroupTotal.of(window.parts()), window.emitted());
  }

  private void drop(GroupWindow window, long logMs, boolean early, Sink sink) {
    if (window.isPending()) {
      emit(window, sink);
    }
    windows.remove(window.name());
    byLastChange.remove(window);
    shares.remove(window.name().group(), window);
    touched.remove(window);
    grow(window, -window.memoryBytes());
    if (window.isWritten()) {
      ended.add(window);
    }
    marks.dropped(window.name(), logMs);
    sink.dropped(window.name(), early);
  }

  /**
   * Emits and drops what is due.
   *
   * @param logMs log time of the record at hand
   * @param most how many at the most
   * @return whether more is due
   */
  public boolean doDue(long logMs, int most, Sink sink) {
    marks.forget(logMs);
    for (int left = most; nextDueMs() <= logMs; left--) {
      if (left == 0) {
        return true;
      }
      doDue(firstDue(logMs), logMs, sink);
    }
    return false;
  }

  private GroupWindow firstDue(long logMs) {
    if (!quiet.isEmpty() && emittedAtMs(quiet.first()) <= logMs) {
      return quiet.first();
    }
    if (!held.isEmpty() && emittedAtMs(held.first()) <= logMs) {
      return held.first();
    }
    return byLastChange.first();
  }

  /** The log time at which the first is due; Long.MAX_VALUE where there is none. */
  public long nextDueMs() {
    if (byLastChange.isEmpty()) {
      return Long.MAX_VALUE;
    }
    long keepMs = keptUntilMs(byLastChange.first());
    if (quiet.isEmpty()) {
      return keepMs;
    }
    long emitMs = Math.min(emittedAtMs(quiet.first()), emittedAtMs(held.first()));
    return Math.min(keepMs, emitMs);
  }

  /** How many windows are kept. */
  public int size() {
    return windows.size();
  }

  /** What all takes in memory, nearly: a function of names, ids and parts. */
  public long bytes() {
    return bytes + marks.bytes();
  }

  /** Which windows were dropped. */
  public GroupMarks marks() {
    return marks;
  }

  /** Windows that were written, whose entries are to be deleted before anything is put. */
  public List<GroupWindow> ended() {
    return ended;
  }

  /** Windows to be put. */
  public Set<GroupWindow> touched() {
    return touched;
  }

  /** All changes were written. */
  public void written() {
    touched.forEach(GroupWindow::written);
    touched.clear();
    ended.clear();
    marks.written();
  }

  /** Puts back a window that was kept; its parts may come before or after it. */
  public void restore(Name name, int revision, long firstChangeMs, long lastChangeMs) {
    restored(name).restore(revision, firstChangeMs, lastChangeMs);
  }

  /** Puts back a part that was kept. */
  public void restore(Name name, String sensorId, SensorPart part) {
    restored(name).restore(sensorId, part);
  }

  private GroupWindow restored(Name name) {
    return windows.computeIfAbsent(name, GroupWindow::new);
  }

  /** Takes out a window that was not kept after all, but for its parts. */
  public void dropRestored(Name name) {
    restored(name).dropRestored();
    removeIfGone(name);
  }

  /** Takes out a part that was not kept after all. */
  public void dropRestored(Name name, String sensorId) {
    restored(name).dropRestored(sensorId);
    removeIfGone(name);
  }

  private void removeIfGone(Name name) {
    if (windows.get(name).isGone()) {
      windows.remove(name);
    }
  }

  /**
   * All that was kept is put back.
   *
   * @return whether it is whole
   */
  public boolean resume() {
    byLastChange.clear();
    quiet.clear();
    held.clear();
    shares.clear();
    bytes = 0;
    for (GroupWindow window : windows.values()) {
      link(window);
      grow(window, window.memoryBytes());
    }
    marks.resume();
    return windows.values().stream()
        .allMatch(w -> w.lastChangeMs() != GroupWindow.NEVER && !w.parts().isEmpty());
  }

  /** Windows of one time in the order of their names, so that a restart changes no order. */
  private static TreeSet<GroupWindow> inOrder(ToLongFunction<GroupWindow> time) {
    return new TreeSet<>(order(time));
  }

  private static Comparator<GroupWindow> order(ToLongFunction<GroupWindow> time) {
    return Comparator.comparingLong(time)
        .thenComparing(window -> window.name().group())
        .thenComparingLong(window -> window.name().startMs())
        .thenComparingLong(window -> window.name().endMs());
  }

  public void clear() {
    windows.clear();
    byLastChange.clear();
    quiet.clear();
    held.clear();
    touched.clear();
    ended.clear();
    shares.clear();
    marks.clear();
    bytes = 0;
  }
}
