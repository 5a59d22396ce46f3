package io.weir.internal.group;

import io.weir.internal.group.GroupWindow.Name;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The dropped windows of groups, so that a late part of one does not restart it without its other
 * sensors. Retained for a time after a group's last dropped window, up to a memory limit, above
 * which the groups with the oldest drops are removed; see {@link WriterShares} for the order of
 * writers. Not safe for several threads.
 */
public final class GroupMarks {
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
