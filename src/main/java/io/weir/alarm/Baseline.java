package io.weir.alarm;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Numbers of a sensor's newest windows, by the number of the window (its start divided by the
 * windows' size): a ring of so many slots, in which windows without readings are NaN. Written in
 * chunks, of which most times one has changed. Costs 8 bytes a window, a look at it two passes.
 *
 * <p>Not safe for several threads.
 */
public final class Baseline {
  /** Slots of a chunk. */
  public static final int CHUNK = 32;

  private static final long NONE = Long.MIN_VALUE;

  private final BaselineSpec spec;
  private final double[] slots;
  private final BitSet changedChunks = new BitSet();
  private long newest = NONE;

  /**
   * Mean and standard deviation of the windows in a baseline.
   *
   * @param windows how many there were
   * @param deviation of the whole population: the root of the mean squared distance from the mean
   */
  public record Spread(int windows, double mean, double deviation) {
    boolean isEnough() {
      return windows >= BaselineSpec.LEAST_WINDOWS;
    }
  }

  public Baseline(BaselineSpec spec) {
    this.spec = spec;
    this.slots = new double[spec.windows()];
    Arrays.fill(slots, Double.NaN);
  }

  public BaselineSpec spec() {
    return spec;
  }

  /** Takes a window's number; one before all that are kept changes nothing. */
  void add(long windowNumber, double value) {
    if (newest == NONE) {
      newest = windowNumber;
    }
    if (windowNumber <= newest - slots.length) {
      return;
    }
    long first = Math.max(newest + 1, windowNumber - slots.length + 1);
    for (long skipped = first; skipped < windowNumber; skipped++) {
      set(skipped, Double.NaN);
    }
    newest = Math.max(newest, windowNumber);
    set(windowNumber, value);
  }

  private void set(long windowNumber, double value) {
    int slot = slot(windowNumber);
    slots[slot] = value;
    changedChunks.set(slot / CHUNK);
  }

  private int slot(long windowNumber) {
    return (int) Math.floorMod(windowNumber, (long) slots.length);
  }

  /**
   * The windows before one, as many back as the baseline has: the mean is their sum in the order of
   * time divided by their number, the deviation comes from a second pass in the same order.
   */
  public Spread before(long windowNumber) {
    if (newest == NONE) {
      return new Spread(0, Double.NaN, Double.NaN);
    }
    long first = Math.max(windowNumber, newest + 1) - slots.length;
    long end = Math.min(windowNumber, newest + 1);
    int count = (int) Math.max(0, end - first);
    int firstSlot = slot(first);
    int windows = 0;
    double sum = 0;
    for (int i = 0, slot = firstSlot; i < count; i++, slot = next(slot)) {
      double value = slots[slot];
      if (!Double.isNaN(value)) {
        windows++;
        sum += value;
      }
    }
    double mean = sum / windows;
    double squares = 0;
    for (int i = 0, slot = firstSlot; i < count; i++, slot = next(slot)) {
      double value = slots[slot];
      if (!Double.isNaN(value)) {
        squares += (value - mean) * (value - mean);
      }
    }
    return new Spread(windows, mean, Math.sqrt(squares / windows));
  }

  private int next(int slot) {
    return slot + 1 == slots.length ? 0 : slot + 1;
  }

  /** Chunks of its slots, the last one may be shorter. */
  public int chunks() {
    return (slots.length + CHUNK - 1) / CHUNK;
  }

  /** Chunks that changed since {@link #written}. */
  public BitSet changedChunks() {
    return changedChunks;
  }

  /** Says that all changes were written. */
  public void written() {
    changedChunks.clear();
  }

  /** The number of the newest window; meaningless where nothing was added. */
  public long newest() {
    return newest;
  }

  /** How many slots a chunk has; 0 for one that there is not. */
  public int chunkSize(int chunk) {
    return Math.max(0, Math.min(CHUNK, slots.length - chunk * CHUNK));
  }

  /** The slots of a chunk, NaN for windows without readings. */
  public double[] chunk(int chunk) {
    int from = chunk * CHUNK;
    return Arrays.copyOfRange(slots, from, from + chunkSize(chunk));
  }

  /**
   * Puts back a chunk.
   *
   * @throws IllegalArgumentException if it has another length than this baseline's
   */
  public void restore(int chunk, long newestWindow, double[] values) {
    if (chunk < 0 || chunk >= chunks() || values.length != chunkSize(chunk)) {
      throw new IllegalArgumentException("chunk " + chunk + " of a baseline");
    }
    newest = Math.max(newest, newestWindow);
    System.arraycopy(values, 0, slots, chunk * CHUNK, values.length);
  }
}
