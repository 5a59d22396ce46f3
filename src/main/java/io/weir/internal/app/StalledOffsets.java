package io.weir.internal.app;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Measures how long the last stable offset of each partition has not advanced although records
 * follow it. read_committed consumers stop there. For one thread.
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
   * @param sinceMs first time with this offset, by the clock of {@link #look}
   */
  record Stalled(TopicPartition partition, long lastStableOffset, long sinceMs) {}

  /**
   * Adds a sample.
   *
   * @param stable last stable offsets; without partitions that did not answer
   * @param ends end offsets, read after the stable ones
   * @param nowMs a monotonic clock
   * @return partitions that do not advance, longest first
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
