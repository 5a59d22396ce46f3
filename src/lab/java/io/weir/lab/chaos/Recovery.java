package io.weir.lab.chaos;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * From a fault to the next windows of the partitions that it hit: windows written after it, and
 * readable. Safe for many threads.
 */
final class Recovery implements OutputWatch.Listener {
  private final long faultMs = System.currentTimeMillis();
  private final long faultNanos = System.nanoTime();
  private final int hit;
  private final Set<Integer> silent;
  private long firstNanos;
  private long lastNanos;

  /**
   * @param partitions that were hit
   */
  Recovery(Set<Integer> partitions) {
    this.hit = partitions.size();
    this.silent = new HashSet<>(partitions);
  }

  @Override
  public synchronized void window(int partition, long appendMs, long nanos) {
    if (appendMs >= faultMs && silent.remove(partition)) {
      firstNanos = firstNanos == 0 ? nanos : firstNanos;
      lastNanos = nanos;
    }
  }

  /** Whether one of them has spoken again, or none was hit. */
  synchronized boolean hasBegun() {
    return silent.size() < hit || hit == 0;
  }

  /** Whether all of them have spoken again. */
  @Override
  public synchronized boolean isOver() {
    return silent.isEmpty();
  }

  /** Until the first of them spoke; empty where none has yet. */
  synchronized Optional<Duration> first() {
    return firstNanos == 0
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(firstNanos - faultNanos));
  }

  /** Until the last of them spoke; empty where it has not yet. */
  synchronized Optional<Duration> last() {
    return silent.isEmpty() && lastNanos != 0
        ? Optional.of(Duration.ofNanos(lastNanos - faultNanos))
        : Optional.empty();
  }

  /** In words. */
  @Override
  public synchronized String toString() {
    return "first of "
        + hit
        + " partitions back after "
        + first().map(Durations::seconds).orElse("-")
        + " s, last after "
        + last().map(Durations::seconds).orElse("-")
        + " s";
  }
}
