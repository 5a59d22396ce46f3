package io.weir.group;

import io.weir.group.GroupWindow.Name;
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
 * Which windows of which groups were dropped, so that a part that comes for one of them does not
 * begin it again as if it had no other sensor. Kept for a time after a group's last dropped window,
 * and of so many groups as there is room for, those whose windows were dropped last; see {@link
 * WriterShares} for whose are forgotten first. Not safe for several threads.
 */
public final class GroupMarks {
  private static final Comparator<Age> ORDER =
      Comparator.comparingLong(Age::lastMs).thenComparing(Age::group);

  private final long keepMs;
  private final long maxBytes;

  private final Map<String, DroppedSpans> byGroup = new HashMap<>();

  /**
   * The group whose last window was dropped first in front, those of one time in the order of their
   * names, so that a restart changes no order.
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

  /** Forgets expired groups. */
  void forget(long logMs) {
    while (!byAge.isEmpty() && byAge.first().lastMs() + keepMs <= logMs) {
      forget(byAge.first());
    }
  }

  /** What they take in memory, nearly. */
  long bytes() {
    return bytes;
  }

  /** Of how many groups it is known. */
  public int size() {
    return byGroup.size();
  }

  /** Groups whose entries are to be deleted, before anything is put. */
  public List<String> forgotten() {
    return forgotten;
  }

  /** Those that are to be put. */
  public Map<String, DroppedSpans> touched() {
    Map<String, DroppedSpans> spans = new LinkedHashMap<>();
    touched.forEach(group -> spans.put(group, byGroup.get(group)));
    return spans;
  }

  void written() {
    touched.clear();
    forgotten.clear();
  }

  /** Puts back what was kept of a group. */
  public void restore(String group, DroppedSpans spans) {
    byGroup.put(group, spans);
  }

  /** Takes out a group that was not kept after all. */
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
