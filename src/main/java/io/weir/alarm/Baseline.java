package io.weir.alarm;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Numbers of a sensor's newest windows, by the number of the window (its start divided by the
 * windows' size): a ring of so many slots, in which windows without readings are NaN. Kept and
 * written in chunks, of which most times one has changed; a chunk without readings costs nothing.
 * Exact sums run along, so that a look costs no pass.
 *
 * <p>Not safe for several threads.
 */
public final class Baseline {
  /** Slots of a chunk. */
  public static final int CHUNK = 32;

  /** What a chunk takes in memory beside its slots, and a baseline with chunks, nearly. */
  private static final int CHUNK_BYTES = 20;

  private static final int OVERHEAD_BYTES = 800;
  private static final double[][] EMPTY = {};

  private static final long NONE = Long.MIN_VALUE;

  private final BaselineSpec spec;

  /** Null for a chunk without readings; empty where there is no other. */
  private double[][] ring = EMPTY;

  /** Of the chunks with readings. */
  private long chunkBytes;

  private final BitSet changedChunks = new BitSet();
  private long newest = NONE;

  /** Of the windows from {@link #summedFrom} to the newest; null where it is to be made. */
  private ExactSpread sums;

  private long summedFrom;

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
  }

  public BaselineSpec spec() {
    return spec;
  }

  /** Takes a window's number; one before all that are kept changes nothing. */
  void add(long windowNumber, double value) {
    if (makeRoom(windowNumber)) {
      put(windowNumber, value);
    }
  }

  /**
   * Empties a window's slot and those of windows that have left.
   *
   * @return whether the window is one of those that are kept
   */
  boolean makeRoom(long windowNumber) {
    if (newest != NONE && windowNumber <= newest - spec.windows()) {
      return false;
    }
    if (newest == NONE || windowNumber - newest >= spec.windows()) {
      clear();
      newest = windowNumber;
    } else if (windowNumber > newest) {
      // What was as many windows before those leaves the ring.
      forEach(newest + 1, windowNumber + 1, this::forget);
      newest = windowNumber;
      summedFrom = Math.max(summedFrom, newest + 1 - spec.windows());
    } else {
      forget(windowNumber, value(windowNumber));
    }
    return true;
  }

  private void clear() {
    for (int chunk = 0; chunk < ring.length; chunk++) {
      if (ring[chunk] != null) {
        changedChunks.set(chunk);
        keep(chunk, null);
      }
    }
    sums = null;
  }

  /** Empties the slot of a window, which is not beyond the newest or holds one that leaves. */
  private void forget(long windowNumber, double value) {
    if (Double.isNaN(value)) {
      return;
    }
    long owner = windowNumber > newest ? windowNumber - spec.windows() : windowNumber;
    if (sums != null && owner >= summedFrom) {
      sums.remove(value);
    }
    int slot = slot(windowNumber);
    int chunk = slot / CHUNK;
    ring[chunk][slot % CHUNK] = Double.NaN;
    changedChunks.set(chunk);
    if (isEmpty(ring[chunk])) {
      keep(chunk, null);
    }
  }

  /** Puts a window into its slot, which is empty. */
  void put(long windowNumber, double value) {
    int slot = slot(windowNumber);
    int chunk = slot / CHUNK;
    if (slots(chunk) == null) {
      keep(chunk, empty(chunk));
    }
    ring[chunk][slot % CHUNK] = value;
    changedChunks.set(chunk);
    if (sums != null && windowNumber >= summedFrom) {
      sums.add(value);
    }
  }

  private double[] slots(int chunk) {
    return ring == EMPTY ? null : ring[chunk];
  }

  private void keep(int chunk, double[] slots) {
    if (ring == EMPTY) {
      ring = new double[chunks()][];
    }
    long bytes = CHUNK_BYTES + (long) Double.BYTES * chunkSize(chunk);
    chunkBytes += (slots == null ? 0 : bytes) - (ring[chunk] == null ? 0 : bytes);
    ring[chunk] = slots;
    if (chunkBytes == 0) {
      ring = EMPTY;
    }
  }

  /** What it takes in memory, nearly: a function of which windows it has. */
  long bytes() {
    return chunkBytes == 0 ? 0 : ownBytes() + chunkBytes;
  }

  private long ownBytes() {
    return OVERHEAD_BYTES + (long) Integer.BYTES * spec.windows() / CHUNK;
  }

  /** What a window takes, where it is the first of its chunk. */
  long bytesFor(long windowNumber) {
    int chunk = slot(windowNumber) / CHUNK;
    if (slots(chunk) != null) {
      return 0;
    }
    long bytes = CHUNK_BYTES + (long) Double.BYTES * chunkSize(chunk);
    return chunkBytes == 0 ? ownBytes() + bytes : bytes;
  }

  private static boolean isEmpty(double[] slots) {
    for (double slot : slots) {
      if (!Double.isNaN(slot)) {
        return false;
      }
    }
    return true;
  }

  private double[] empty(int chunk) {
    double[] slots = new double[chunkSize(chunk)];
    Arrays.fill(slots, Double.NaN);
    return slots;
  }

  private int slot(long windowNumber) {
    return (int) Math.floorMod(windowNumber, (long) spec.windows());
  }

  private double value(long windowNumber) {
    int slot = slot(windowNumber);
    double[] slots = slots(slot / CHUNK);
    return slots == null ? Double.NaN : slots[slot % CHUNK];
  }

  /** Takes the number of a window and its value. */
  private interface Each {
    void of(long windowNumber, double value);
  }

  /** Takes what is in the slots of these windows; a chunk without readings costs one look. */
  private void forEach(long from, long end, Each each) {
    long number = from;
    while (number < end) {
      int slot = slot(number);
      double[] slots = slots(slot / CHUNK);
      if (slots == null) {
        number += chunkSize(slot / CHUNK) - slot % CHUNK;
      } else {
        double value = slots[slot % CHUNK];
        if (!Double.isNaN(value)) {
          each.of(number, value);
        }
        number++;
      }
    }
  }

  /** The windows before one, as many back as the baseline has. */
  public Spread before(long windowNumber) {
    if (newest == NONE) {
      return new Spread(0, Double.NaN, Double.NaN);
    }
    long first = Math.max(windowNumber, newest + 1) - spec.windows();
    if (windowNumber <= newest) {
      ExactSpread some = new ExactSpread();
      forEach(first, windowNumber, (number, value) -> some.add(value));
      return some.spread();
    }
    sumFrom(first);
    return sums.spread();
  }

  /** Windows are judged in the order of time: it goes on by a few. */
  private void sumFrom(long first) {
    if (sums == null) {
      sums = new ExactSpread();
      forEach(first, newest + 1, (number, value) -> sums.add(value));
    } else if (first > summedFrom) {
      forEach(summedFrom, Math.min(first, newest + 1), (number, value) -> sums.remove(value));
    } else {
      forEach(first, Math.min(summedFrom, newest + 1), (number, value) -> sums.add(value));
    }
    summedFrom = first;
  }

  /** Chunks of its slots, the last one may be shorter. */
  public int chunks() {
    return (spec.windows() + CHUNK - 1) / CHUNK;
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
    return Math.max(0, Math.min(CHUNK, spec.windows() - chunk * CHUNK));
  }

  /** The slots of a chunk, NaN for windows without readings. */
  public double[] chunk(int chunk) {
    double[] slots = slots(chunk);
    return slots == null ? empty(chunk) : slots.clone();
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
    keep(chunk, isEmpty(values) ? null : values.clone());
    sums = null;
  }
}
