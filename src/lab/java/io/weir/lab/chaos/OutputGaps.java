package io.weir.lab.chaos;

import io.weir.topic.SensorPartition;
import java.time.Duration;
import java.util.Arrays;

/**
 * How long no window could be read, of any partition and of a single one. Safe for many threads.
 */
final class OutputGaps implements OutputWatch.Listener {
  private final long[] last = new long[SensorPartition.COUNT];
  private final long[] longest = new long[SensorPartition.COUNT];
  private long lastOfAny;
  private long longestOfAny;

  OutputGaps(long nowNanos) {
    lastOfAny = nowNanos;
    Arrays.fill(last, nowNanos);
  }

  @Override
  public synchronized void window(int partition, long appendMs, long nanos) {
    longestOfAny = Math.max(longestOfAny, nanos - lastOfAny);
    lastOfAny = nanos;
    longest[partition] = Math.max(longest[partition], nanos - last[partition]);
    last[partition] = nanos;
  }

  /** The longest time without a window of any partition, the one until now included. */
  synchronized Duration ofTopic(long nowNanos) {
    return Duration.ofNanos(Math.max(longestOfAny, nowNanos - lastOfAny));
  }

  /** The longest time without a window of one and the same partition. */
  synchronized Duration ofPartition(long nowNanos) {
    long most = 0;
    for (int partition = 0; partition < last.length; partition++) {
      most = Math.max(most, Math.max(longest[partition], nowNanos - last[partition]));
    }
    return Duration.ofNanos(most);
  }
}
