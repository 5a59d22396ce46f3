package io.weir.dev.chaos;

import java.util.EnumMap;
import java.util.Map;

/**
 * What happened: how often each kind, and how long it took until all was well. For many threads.
 */
final class Tally {
  private final Map<FaultKind, Integer> done = new EnumMap<>(FaultKind.class);
  private final Map<FaultKind, Durations> first = new EnumMap<>(FaultKind.class);
  private final Map<FaultKind, Durations> last = new EnumMap<>(FaultKind.class);
  private final Map<FaultKind, Durations> starts = new EnumMap<>(FaultKind.class);
  private final Durations topicGaps = new Durations();
  private final Durations partitionGaps = new Durations();

  Tally() {
    for (FaultKind kind : FaultKind.values()) {
      first.put(kind, new Durations());
      last.put(kind, new Durations());
      starts.put(kind, new Durations());
    }
  }

  synchronized void done(FaultKind kind) {
    done.merge(kind, 1, Integer::sum);
  }

  synchronized int count(FaultKind kind) {
    return done.getOrDefault(kind, 0);
  }

  /** What has happened at all. */
  synchronized Map<FaultKind, Integer> counts() {
    return new EnumMap<>(done);
  }

  void recovered(FaultKind kind, Recovery recovery) {
    recovery.first().ifPresent(first.get(kind)::add);
    recovery.last().ifPresent(last.get(kind)::add);
  }

  /** From the start of an application until it had its partitions. */
  Durations starts(FaultKind kind) {
    return starts.get(kind);
  }

  /** Longest times without a window of any partition, a rolling restart each. */
  Durations topicGaps() {
    return topicGaps;
  }

  /** Longest times without a window of one and the same partition, a rolling restart each. */
  Durations partitionGaps() {
    return partitionGaps;
  }

  /** Until the first window of a partition that was hit. */
  Durations first(FaultKind kind) {
    return first.get(kind);
  }

  /** Until a window of the last of them. */
  Durations last(FaultKind kind) {
    return last.get(kind);
  }
}
