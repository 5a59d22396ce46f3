package io.weir.lab.oracle;

import io.weir.v1.GroupSummary;
import io.weir.v1.WindowSummary;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Windows of the groups of a partition, merged again from all parts at each emission. For finite
 * sums, and for as many windows as fit into memory. One thread.
 */
final class NaiveGroups {
  private static final long NEVER = -1;

  private record Name(String group, long startMs, long endMs) {}

  private static final class Kept {
    /** The newest part of each sensor, by the bytes of its id. */
    final Map<String, WindowSummary> parts =
        new TreeMap<>(
            Comparator.comparing(
                (String id) -> id.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned));

    int revision;
    long firstChangeMs = NEVER;
    long lastChangeMs;
  }

  private final NaiveEventRules rules;
  private final Consumer<GroupSummary> emitted;
  private final Map<Name, Kept> windows = new LinkedHashMap<>();
  private final Set<Name> dropped = new HashSet<>();
  private long tooLate;

  NaiveGroups(NaiveEventRules rules, Consumer<GroupSummary> emitted) {
    this.rules = rules;
    this.emitted = emitted;
  }

  /** Emits and drops what is due. */
  void passed(long logMs) {
    for (Name name : List.copyOf(windows.keySet())) {
      Kept window = windows.get(name);
      boolean ends = logMs >= window.lastChangeMs + rules.groupKeepMs();
      boolean rests =
          logMs >= window.lastChangeMs + rules.groupQuietMs()
              || logMs >= window.firstChangeMs + rules.groupHoldMs();
      if (window.firstChangeMs != NEVER && (rests || ends)) {
        emitted.accept(merge(name, window));
        window.revision++;
        window.firstChangeMs = NEVER;
      }
      if (ends) {
        windows.remove(name);
        dropped.add(name);
      }
    }
  }

  /** Takes a part of a group, everything that is due being done. */
  void take(String group, WindowSummary summary, long logMs) {
    Name name = new Name(group, summary.getWindowStartMs(), summary.getWindowEndMs());
    if (dropped.contains(name)) {
      tooLate++;
      return;
    }
    WindowSummary part = numbers(summary);
    Kept window = windows.computeIfAbsent(name, any -> new Kept());
    if (part.equals(window.parts.put(summary.getSensorId(), part))) {
      return;
    }
    window.firstChangeMs = window.firstChangeMs == NEVER ? logMs : window.firstChangeMs;
    window.lastChangeMs = logMs;
  }

  /** What a group takes of a summary; where nothing is counted the other numbers mean nothing. */
  private static WindowSummary numbers(WindowSummary summary) {
    WindowSummary.Builder numbers =
        WindowSummary.newBuilder().setCount(summary.getCount()).setBadCount(summary.getBadCount());
    if (summary.getCount() > 0) {
      numbers
          .setSum(summary.getSum())
          .addAllSumRest(summary.getSumRestList())
          .setMin(summary.getMin())
          .setMax(summary.getMax());
    }
    return numbers.build();
  }

  private static GroupSummary merge(Name name, Kept window) {
    GroupSummary.Builder merged =
        GroupSummary.newBuilder()
            .setGroup(name.group)
            .setWindowStartMs(name.startMs)
            .setWindowEndMs(name.endMs)
            .setSensors(window.parts.size())
            .setRevision(window.revision);
    BigDecimal sum = BigDecimal.ZERO;
    for (Map.Entry<String, WindowSummary> each : window.parts.entrySet()) {
      WindowSummary part = each.getValue();
      merged.setBadCount(merged.getBadCount() + part.getBadCount());
      if (part.getCount() == 0) {
        continue;
      }
      sum = sum.add(new BigDecimal(part.getSum()));
      for (double rest : part.getSumRestList()) {
        sum = sum.add(new BigDecimal(rest));
      }
      if (merged.getCount() == 0 || part.getMin() < merged.getMin()) {
        merged.setMin(part.getMin()).setMinSensorId(each.getKey());
      }
      if (merged.getCount() == 0 || part.getMax() > merged.getMax()) {
        merged.setMax(part.getMax()).setMaxSensorId(each.getKey());
      }
      merged.setCount(merged.getCount() + part.getCount());
    }
    return merged.setSum(sum.doubleValue()).build();
  }

  /** Windows that changed and were not emitted since. */
  long pending() {
    return windows.values().stream().filter(window -> window.firstChangeMs != NEVER).count();
  }

  /** Windows that there are and that were dropped. */
  long windows() {
    return windows.size() + (long) dropped.size();
  }

  /** Parts that came for a window that was dropped. */
  long tooLate() {
    return tooLate;
  }
}
