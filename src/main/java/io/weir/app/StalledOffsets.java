package io.weir.app;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * For how long the last stable offset of each partition has not advanced while there are records
 * behind it: up to there readers of committed records come, and no further. For one thread.
 */
final class StalledOffsets {
  private static final Comparator<Stalled> LONGEST_FIRST =
      Comparator.comparingLong(Stalled::sinceMs)
          .thenComparing(each -> each.partition().topic())
          .thenComparing(each -> each.partition().partition());

  private final Map<TopicPartition, Stalled> stalled = new HashMap<>();

  /**
   * A partition whose last stable offset does not advance.
   *
   * @param sinceMs when it was first seen there, by the clock given to {@link #look}
   */
  record Stalled(TopicPartition partition, long lastStableOffset, long sinceMs) {}

  /**
   * Takes in what was found.
   *
   * @param stable last stable offsets; a partition that is missing could not be asked
   * @param ends offsets behind the last record, found after the stable ones
   * @param nowMs a monotonic clock
   * @return those that do not advance, the longest first
   */
  List<Stalled> look(Map<TopicPartition, Long> stable, Map<TopicPartition, Long> ends, long nowMs) {
    ends.forEach(
        (partition, end) -> {
          if (stable.containsKey(partition)) {
            look(partition, stable.get(partition), end, nowMs);
          }
        });
    return stalled.values().stream().sorted(LONGEST_FIRST).toList();
  }

  private void look(TopicPartition partition, long stable, long end, long nowMs) {
    if (stable >= end) {
      stalled.remove(partition);
      return;
    }
    Stalled before = stalled.get(partition);
    if (before == null || before.lastStableOffset() != stable) {
      stalled.put(partition, new Stalled(partition, stable, nowMs));
    }
  }
}
