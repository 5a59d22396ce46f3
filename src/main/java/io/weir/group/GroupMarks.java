package io.weir.group;

import io.weir.group.GroupWindow.Name;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which windows of which groups were dropped, so that a part that comes for one of them does not
 * begin it anew as if it had no other sensor. Kept for a time after a group's last dropped window,
 * and of so many groups as there is room for, those whose windows were dropped last. Not safe for
 * several threads.
 */
public final class GroupMarks {
  private final long keepMs;
  private final long maxBytes;

  /** The group whose last window was dropped first in front. */
  private final LinkedHashMap<String, DroppedSpans> byGroup = new LinkedHashMap<>();

  private final Set<String> touched = new LinkedHashSet<>();
  private final List<String> forgotten = new ArrayList<>();
  private long bytes;

  GroupMarks(long keepMs, long maxBytes) {
    this.keepMs = keepMs;
    this.maxBytes = maxBytes;
  }

  boolean isDropped(Name window, long logMs) {
    DroppedSpans spans = byGroup.get(window.group());
    return spans != null && logMs < spans.lastMs() + keepMs && spans.contains(window.startMs());
  }

  void dropped(Name window, long logMs) {
    DroppedSpans spans = byGroup.remove(window.group());
    if (spans == null) {
      spans = new DroppedSpans(logMs);
    } else {
      bytes -= spans.memoryBytes(window.group());
    }
    spans.add(window.startMs(), window.endMs(), logMs);
    byGroup.put(window.group(), spans);
    bytes += spans.memoryBytes(window.group());
    touched.add(window.group());
    while (bytes > maxBytes && byGroup.size() > 1) {
      forgetOldest();
    }
  }

  private void forgetOldest() {
    String group = byGroup.keySet().iterator().next();
    bytes -= byGroup.remove(group).memoryBytes(group);
    touched.remove(group);
    forgotten.add(group);
  }

  /** Forgets groups whose time is over. */
  void forget(long logMs) {
    while (!byGroup.isEmpty() && byGroup.values().iterator().next().lastMs() + keepMs <= logMs) {
      forgetOldest();
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
    List<Map.Entry<String, DroppedSpans>> sorted = new ArrayList<>(byGroup.entrySet());
    sorted.sort(
        Comparator.<Map.Entry<String, DroppedSpans>>comparingLong(mark -> mark.getValue().lastMs())
            .thenComparing(Map.Entry::getKey));
    byGroup.clear();
    bytes = 0;
    for (Map.Entry<String, DroppedSpans> mark : sorted) {
      byGroup.put(mark.getKey(), mark.getValue());
      bytes += mark.getValue().memoryBytes(mark.getKey());
    }
  }

  void clear() {
    byGroup.clear();
    touched.clear();
    forgotten.clear();
    bytes = 0;
  }
}
