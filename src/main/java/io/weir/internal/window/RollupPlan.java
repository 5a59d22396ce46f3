package io.weir.internal.window;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The sizes of rollups: each consists of whole windows and of whole rollups of the next smaller
 * size. All in milliseconds; aligned to the epoch, and so to UTC. Thread-safe.
 */
public final class RollupPlan {
  /** No rollups. */
  public static final RollupPlan NONE = new RollupPlan(new long[0]);

  private final long[] sizesMs;

  private RollupPlan(long[] sizesMs) {
    this.sizesMs = sizesMs;
  }

  /**
   * The plan of some sizes.
   *
   * @param windowSizeMs length of a window
   * @param sizesMs each a multiple of the one before, the first of the window's; none for no
   *     rollups
   * @throws IllegalArgumentException if a size is invalid; the message names the first invalid one
   */
  public static RollupPlan of(long windowSizeMs, List<Long> sizesMs) {
    long before = windowSizeMs;
    for (long sizeMs : sizesMs) {
      if (sizeMs <= before || sizeMs % before != 0) {
        throw new IllegalArgumentException(
            sizeMs + " ms is not a larger multiple of " + before + " ms");
      }
      before = sizeMs;
    }
    return sizesMs.isEmpty()
        ? NONE
        : new RollupPlan(sizesMs.stream().mapToLong(Long::longValue).toArray());
  }

  /** Whether there are any. */
  public boolean isOn() {
    return sizesMs.length > 0;
  }

  /** Number of sizes. */
  public int levels() {
    return sizesMs.length;
  }

  /**
   * The length of a rollup.
   *
   * @param level 0 for the smallest
   */
  public long sizeMs(int level) {
    return sizesMs[level];
  }

  /** The level of a size; negative if there is none. */
  public int levelOf(long sizeMs) {
    return Arrays.binarySearch(sizesMs, sizeMs);
  }

  /** All lengths, the smallest first. */
  public List<Long> sizesMs() {
    return Arrays.stream(sizesMs).boxed().toList();
  }

  /** Whether another plan has the same sizes, followed by larger ones only. */
  public boolean isBeginningOf(RollupPlan other) {
    return sizesMs.length <= other.sizesMs.length
        && Arrays.equals(sizesMs, 0, sizesMs.length, other.sizesMs, 0, sizesMs.length);
  }

  /** The first end of a largest rollup that is at or after a time. */
  long firstEndFrom(long timeMs) {
    long largestMs = sizesMs[sizesMs.length - 1];
    long past = Math.floorMod(timeMs, largestMs);
    return past == 0 ? timeMs : WindowSpec.saturatedSum(timeMs, largestMs - past);
  }

  /** The end of the largest rollup that holds a time. */
  long endOfLargest(long timeMs) {
    return firstEndFrom(WindowSpec.saturatedSum(timeMs, 1));
  }

  /** The start of the span of a size that holds a time. */
  static long startOf(long timeMs, long sizeMs) {
    return timeMs - Math.floorMod(timeMs, sizeMs);
  }

  /** As {@code 60000ms,3600000ms}. */
  @Override
  public String toString() {
    return Arrays.stream(sizesMs).mapToObj(size -> size + "ms").collect(Collectors.joining(","));
  }
}
