package io.weir.lab.chaos;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * What happened: how often each kind, and how long it took until all was well. For many threads.
 */
final class FaultStats {
  private final Map<FaultKind, Integer> done = new EnumMap<>(FaultKind.class);
  private final Map<FaultKind, List<Recovery>> recoveries = new EnumMap<>(FaultKind.class);
  private final Map<FaultKind, Durations> starts = new EnumMap<>(FaultKind.class);
  private final Durations topicGaps = new Durations();
  private final Durations partitionGaps = new Durations();

  private final List<String> broken = new CopyOnWriteArrayList<>();
  private final List<String> neighbours = new CopyOnWriteArrayList<>();

  FaultStats() {
    for (FaultKind kind : FaultKind.values()) {
      recoveries.put(kind, new CopyOnWriteArrayList<>());
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

  /** A promise that was not kept, in words. */
  void broken(String promise) {
    broken.add(promise);
  }

  /** Promises that were not kept. */
  List<String> broken() {
    return broken;
  }

  /** What a fault did to those that it did not hit, in words. */
  void neighbours(String what) {
    neighbours.add(what);
  }

  /** What faults did to those that they did not hit. */
  List<String> neighbours() {
    return neighbours;
  }

  /** A recovery that has begun; what becomes of it counts. */
  void recovering(FaultKind kind, Recovery recovery) {
    recoveries.get(kind).add(recovery);
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
    return durations(kind, Recovery::first);
  }

  /** Until a window of the last of them. */
  Durations last(FaultKind kind) {
    return durations(kind, Recovery::last);
  }

  private Durations durations(FaultKind kind, Function<Recovery, Optional<Duration>> which) {
    Durations durations = new Durations();
    recoveries.get(kind).stream().map(which).flatMap(Optional::stream).forEach(durations::add);
    return durations;
  }
}
