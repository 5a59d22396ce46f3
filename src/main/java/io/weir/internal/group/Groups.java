package io.weir.internal.group;

import io.weir.internal.group.GroupWindow.Name;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * The windows of a partition's groups. A window is emitted at the first record whose log time is at
 * or past its last change + quiet, or the first change since its last emission + hold; it is
 * dropped at its last change + keep, and later parts are ignored. Log time is the sum of the gaps
 * between records' append times, so that a clock that goes back cannot delay a window. Above the
 * memory limit, windows of a writer above its share are dropped first, see {@link WriterShares}.
 * The cost of an emission is proportional to the window's sensors, that of finding due windows to
 * their number. Not thread-safe.
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
    /** Its window is left out: parts of it may have been deleted before they were read. */
    LEFT_OUT,
    /** Its sensor is new and the window has the maximum number of sensors. */
    TOO_MANY_SENSORS
  }

  /** Receives the windows of groups. */
  public interface Sink {
    /** A window must be emitted. */
    void emit(Name window, GroupTotal total, int revision);

    /**
     * A window was dropped; it was emitted before if it had changed.
     *
     * @param early whether it was dropped to free memory
     */
    void dropped(Name window, boolean early);
  }

  private final GroupSpec spec;
  private final Map<Name, GroupWindow> windows = new HashMap<>();

  /** All windows, by last change, oldest first. */
  private final TreeSet<GroupWindow> byLastChange = inOrder(GroupWindow::lastChangeMs);

  /** Windows that changed since their last emission, by last and by first change. */
  private final TreeSet<GroupWindow> quiet = inOrder(GroupWindow::lastChangeMs);

  private final TreeSet<GroupWindow> held = inOrder(GroupWindow::firstChangeMs);
  private final WriterShares<GroupWindow> shares;
  private final GroupMarks marks;
  private final Set<GroupWindow> touched = new LinkedHashSet<>();
  private final List<GroupWindow> ended = new ArrayList<>();
  private long bytes;
  private long droppedToMs = Long.MIN_VALUE;
  private long knownFromMs = Long.MIN_VALUE;
  private int leftOut;

  public Groups(GroupSpec spec) {
    this.spec = spec;
    this.shares = new WriterShares<>(order(GroupWindow::lastChangeMs), spec.maxBytes());
    this.marks = new GroupMarks(spec.marksMs(), spec.maxBytes() / 4);
  }

  /**
   * Adds the newest part of a sensor. Before that its window is emitted or dropped if due; after
   * it, windows are dropped until the others fit the memory limit.
   *
   * @param logMs log time of the record; never decreases
   */
  public Outcome put(Name name, String sensorId, SensorPart part, long logMs, Sink sink) {
    if (name.startMs() < knownFromMs) {
      return Outcome.LEFT_OUT;
    }
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
    remove(window);
    marks.dropped(window.name(), logMs);
    sink.dropped(window.name(), early);
  }

  private void remove(GroupWindow window) {
    windows.remove(window.name());
    unlink(window);
    touched.remove(window);
    grow(window, -window.memoryBytes());
    if (window.isWritten()) {
      ended.add(window);
    }
  }

  /**
   * Parts of windows that start before a time may have been deleted before they were read. These
   * windows are removed without an emission, and their later parts are ignored, so that a part
   * replaces no summary of the whole that was emitted before.
   */
  public void knownFrom(long timeMs) {
    if (timeMs > knownFromMs) {
      knownFromMs = timeMs;
      List<GroupWindow> before = windows.values().stream().filter(this::isLeftOut).toList();
      before.forEach(this::remove);
      leftOut += before.size();
    }
  }

  /** Restores {@link #knownFromMs}. */
  public void restoreKnownFrom(long timeMs) {
    knownFromMs = timeMs;
  }

  private boolean isLeftOut(GroupWindow window) {
    return window.name().startMs() < knownFromMs;
  }

  /** Windows that start before this are left out; Long.MIN_VALUE for none. */
  public long knownFromMs() {
    return knownFromMs;
  }

  /** Windows that were left out since the last call, without those of which nothing was there. */
  public int takeLeftOut() {
    int windowsLeftOut = leftOut;
    leftOut = 0;
    return windowsLeftOut;
  }

  /**
   * Emits and drops due windows.
   *
   * @param logMs log time of the current record
   * @param most maximum number of windows
   * @return whether more are due
   */
  public boolean doDue(long logMs, int most, Sink sink) {
    marks.forget(logMs);
    for (int left = most; nextDueMs() <= logMs; left--) {
      if (left == 0) {
        return true;
      }
      doDue(firstDue(logMs), logMs, sink);
    }
    droppedToMs = Math.max(droppedToMs, logMs - spec.keepMs());
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

  /** The log time at which the first is due; Long.MAX_VALUE if there is none. */
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

  /** The number of windows. */
  public int size() {
    return windows.size();
  }

  /** The approximate memory of all windows: a function of names, ids and parts. */
  public long bytes() {
    return bytes + marks.bytes();
  }

  /** The dropped windows. */
  public GroupMarks marks() {
    return marks;
  }

  /** All windows whose last change was at this log time or before were dropped. */
  public long droppedToMs() {
    return droppedToMs;
  }

  /** Restores {@link #droppedToMs}. */
  public void restoreDroppedTo(long logMs) {
    droppedToMs = logMs;
  }

  /** Ended windows whose entries must be deleted, before any write. */
  public List<GroupWindow> ended() {
    return ended;
  }

  /** Windows to write. */
  public Set<GroupWindow> touched() {
    return touched;
  }

  /** Marks all changes as written. */
  public void written() {
    touched.forEach(GroupWindow::written);
    touched.clear();
    ended.clear();
    marks.written();
  }

  /** Restores a window; its parts may be restored before or after it. */
  public void restore(Name name, int revision, long firstChangeMs, long lastChangeMs) {
    restored(name).restore(revision, firstChangeMs, lastChangeMs);
  }

  /** Restores a part. */
  public void restore(Name name, String sensorId, SensorPart part) {
    restored(name).restore(sensorId, part);
  }

  private GroupWindow restored(Name name) {
    return windows.computeIfAbsent(name, GroupWindow::new);
  }

  /** Removes a window that was restored and then deleted, except its parts. */
  public void dropRestored(Name name) {
    restored(name).dropRestored();
    removeIfGone(name);
  }

  /** Removes a part that was restored and then deleted. */
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
   * Ends the restore. Windows that were dropped or left out before are removed: an old replica of
   * the changelog brings them back after their deletion marks were deleted.
   *
   * @return whether it is complete
   */
  public boolean resume() {
    byLastChange.clear();
    quiet.clear();
    held.clear();
    shares.clear();
    bytes = 0;
    windows.values().removeIf(this::endIfGone);
    for (GroupWindow window : windows.values()) {
      link(window);
      grow(window, window.memoryBytes());
    }
    marks.resume();
    return windows.values().stream()
        .allMatch(w -> w.lastChangeMs() != GroupWindow.NEVER && !w.parts().isEmpty());
  }

  private boolean endIfGone(GroupWindow window) {
    boolean dropped =
        window.lastChangeMs() != GroupWindow.NEVER && window.lastChangeMs() <= droppedToMs;
    return (dropped || isLeftOut(window)) && ended.add(window);
  }

  /**
   * Windows of the same time are in the order of their names, so that a restart does not change the
   * order.
   */
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
    droppedToMs = Long.MIN_VALUE;
    knownFromMs = Long.MIN_VALUE;
    leftOut = 0;
  }

  /**
   * The dropped windows of groups, so that a late part of one does not restart it without its other
   * sensors. Retained for a time after a group's last dropped window, up to a memory limit, above
   * which the groups with the oldest drops are removed; see {@link WriterShares} for the order of
   * writers. Not safe for several threads.
   */
  public static final class GroupMarks {
    private static final Comparator<Age> ORDER =
        Comparator.comparingLong(Age::lastMs).thenComparing(Age::group);

    private final long keepMs;
    private final long maxBytes;

    private final Map<String, DroppedSpans> byGroup = new HashMap<>();

    /**
     * Ordered by the time of the last drop, then by name, so that a restart does not change the
     * order.
     */
    private final TreeSet<Age> byAge = new TreeSet<>(ORDER);

    private final WriterShares<Age> shares;

    private record Age(long lastMs, String group) {}

    private final Set<String> touched = new LinkedHashSet<>();
    private final List<String> forgotten = new ArrayList<>();
    private long bytes;

    GroupMarks(long keepMs, long maxBytes) {
      this.keepMs = keepMs;
      this.maxBytes = maxBytes;
      this.shares = new WriterShares<>(ORDER, maxBytes);
    }

    boolean isDropped(Name window, long logMs) {
      DroppedSpans spans = byGroup.get(window.group());
      return spans != null && logMs < spans.lastMs() + keepMs && spans.contains(window.startMs());
    }

    void dropped(Name window, long logMs) {
      DroppedSpans spans = byGroup.get(window.group());
      if (spans == null) {
        spans = new DroppedSpans(logMs);
      } else {
        remove(new Age(spans.lastMs(), window.group()), spans);
      }
      spans.add(window.startMs(), window.endMs(), logMs);
      byGroup.put(window.group(), spans);
      add(new Age(logMs, window.group()), spans);
      touched.add(window.group());
      while (bytes > maxBytes && byGroup.size() > 1) {
        Age ofMost = shares.firstAboveShare();
        forget(ofMost == null ? byAge.first() : ofMost);
      }
    }

    private void add(Age age, DroppedSpans spans) {
      byAge.add(age);
      shares.add(age.group(), age);
      grow(age.group(), spans.memoryBytes(age.group()));
    }

    private void remove(Age age, DroppedSpans spans) {
      byAge.remove(age);
      shares.remove(age.group(), age);
      grow(age.group(), -spans.memoryBytes(age.group()));
    }

    private void grow(String group, long more) {
      bytes += more;
      shares.grow(group, more);
    }

    private void forget(Age age) {
      remove(age, byGroup.remove(age.group()));
      touched.remove(age.group());
      forgotten.add(age.group());
    }

    /** Removes expired groups. */
    void forget(long logMs) {
      while (!byAge.isEmpty() && byAge.first().lastMs() + keepMs <= logMs) {
        forget(byAge.first());
      }
    }

    /** Their approximate memory. */
    long bytes() {
      return bytes;
    }

    /** The number of groups. */
    public int size() {
      return byGroup.size();
    }

    /** Groups whose entries must be deleted, before any write. */
    public List<String> forgotten() {
      return forgotten;
    }

    /** Groups to write. */
    public Map<String, DroppedSpans> touched() {
      Map<String, DroppedSpans> spans = new LinkedHashMap<>();
      touched.forEach(group -> spans.put(group, byGroup.get(group)));
      return spans;
    }

    void written() {
      touched.clear();
      forgotten.clear();
    }

    /** Restores a group. */
    public void restore(String group, DroppedSpans spans) {
      byGroup.put(group, spans);
    }

    /** Removes a group that was restored and then deleted. */
    public void dropRestored(String group) {
      byGroup.remove(group);
    }

    void resume() {
      byAge.clear();
      shares.clear();
      bytes = 0;
      byGroup.forEach((group, spans) -> add(new Age(spans.lastMs(), group), spans));
    }

    void clear() {
      byGroup.clear();
      byAge.clear();
      shares.clear();
      touched.clear();
      forgotten.clear();
      bytes = 0;
    }
  }

  /**
   * The memory of groups per writer: a writer above its share cannot evict the groups of others.
   * Summaries do not name their sender, so the writer is the part of a group's name before its
   * first slash. Choosing a writer to evict checks at most {@value #SHARES} writers. Not
   * thread-safe.
   */
  static final class WriterShares<T> {
    /** A writer above this fraction of the budget is evicted first. */
    static final int SHARES = 8;

    private final Comparator<T> order;
    private final long shareBytes;
    private final Map<String, Writer<T>> writers = new HashMap<>();

    /** Writers above their share: fewer than {@link #SHARES}, if the budget is met. */
    private final Set<Writer<T>> above = new HashSet<>();

    private static final class Writer<T> {
      private final String name;
      private final TreeSet<T> items;
      private long bytes;

      Writer(String name, Comparator<T> order) {
        this.name = name;
        this.items = new TreeSet<>(order);
      }
    }

    /**
     * @param order order in which the items of a writer are evicted
     */
    WriterShares(Comparator<T> order, long budgetBytes) {
      this.order = order;
      this.shareBytes = budgetBytes / SHARES;
    }

    static String writer(String group) {
      int slash = group.indexOf('/');
      return slash < 0 ? group : group.substring(0, slash);
    }

    /** Changes the bytes of a group's writer. */
    void grow(String group, long bytes) {
      Writer<T> writer = of(group);
      writer.bytes += bytes;
      if (writer.bytes > shareBytes) {
        above.add(writer);
      } else {
        above.remove(writer);
      }
      removeIfEmpty(writer);
    }

    void add(String group, T item) {
      of(group).items.add(item);
    }

    void remove(String group, T item) {
      Writer<T> writer = of(group);
      writer.items.remove(item);
      removeIfEmpty(writer);
    }

    private Writer<T> of(String group) {
      return writers.computeIfAbsent(writer(group), name -> new Writer<>(name, order));
    }

    private void removeIfEmpty(Writer<T> writer) {
      if (writer.bytes == 0 && writer.items.isEmpty()) {
        writers.remove(writer.name);
      }
    }

    /** The first item of the largest writer above its share; null if there is none. */
    T firstAboveShare() {
      Writer<T> most = null;
      for (Writer<T> writer : above) {
        if (most == null
            || writer.bytes > most.bytes
            || writer.bytes == most.bytes && writer.name.compareTo(most.name) < 0) {
          most = writer;
        }
      }
      return most == null ? null : most.items.first();
    }

    void clear() {
      writers.clear();
      above.clear();
    }
  }
}
