package io.weir.internal.alarm;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.BitSet;

/**
 * A value of each of a sensor's newest windows, by window number (start divided by window size): a
 * ring buffer, with NaN for windows without readings. It is stored in chunks, of which usually one
 * has changed; a chunk without readings costs nothing. Exact running sums make a query constant in
 * cost.
 *
 * <p>Not safe for several threads.
 */
public final class Baseline {
  /** Slots of a chunk. */
  public static final int CHUNK = 32;

  /** Approximate memory of a chunk without its slots, and of a baseline without its chunks. */
  private static final int CHUNK_BYTES = 20;

  private static final int OVERHEAD_BYTES = 800;
  private static final double[][] EMPTY = {};

  private static final long NONE = Long.MIN_VALUE;

  private final BaselineSpec spec;

  /** Null for a chunk without readings; empty if all are. */
  private double[][] ring = EMPTY;

  /** Memory of the chunks with readings. */
  private long chunkBytes;

  private final BitSet changedChunks = new BitSet();
  private long newest = NONE;

  /**
   * The sums of the windows from {@link #summedFrom} to the newest; null before they are computed.
   */
  private ExactSpread sums;

  private long summedFrom;

  /**
   * Mean and standard deviation of the windows in a baseline.
   *
   * @param windows number of windows with readings
   * @param deviation population standard deviation
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

  /** Sets the value of a window; ignores one before all stored ones. */
  void add(long windowNumber, double value) {
    if (makeRoom(windowNumber)) {
      put(windowNumber, value);
    }
  }

  /**
   * Empties the slot of a window, and those of windows that leave the ring.
   *
   * @return whether the window is in the ring
   */
  boolean makeRoom(long windowNumber) {
    if (newest != NONE && windowNumber <= newest - spec.windows()) {
      return false;
    }
    if (newest == NONE || windowNumber - newest >= spec.windows()) {
      clear();
      newest = windowNumber;
    } else if (windowNumber > newest) {
      // Windows that are a ring size older leave the ring.
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

  /** Empties the slot of a window that is not after the newest, or that holds an older one. */
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

  /** Sets the empty slot of a window. */
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

  /** Approximate memory: a function of the windows in it. */
  long bytes() {
    return chunkBytes == 0 ? 0 : overheadBytes() + chunkBytes;
  }

  private long overheadBytes() {
    return OVERHEAD_BYTES + (long) Integer.BYTES * spec.windows() / CHUNK;
  }

  /** Memory that a window adds if it is the first of its chunk. */
  long bytesFor(long windowNumber) {
    int chunk = slot(windowNumber) / CHUNK;
    if (slots(chunk) != null) {
      return 0;
    }
    long bytes = CHUNK_BYTES + (long) Double.BYTES * chunkSize(chunk);
    return chunkBytes == 0 ? overheadBytes() + bytes : bytes;
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

  /** Receives the number of a window and its value. */
  private interface Each {
    void of(long windowNumber, double value);
  }

  /** Visits the values of these windows; a chunk without readings costs one check. */
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

  /** Mean and deviation of the windows before one, over the length of the baseline. */
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

  /** Advances the sums: windows are judged in the order of time, so by a few. */
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

  /** Number of its chunks; the last one may be shorter. */
  public int chunks() {
    return (spec.windows() + CHUNK - 1) / CHUNK;
  }

  /** Chunks that changed since {@link #written}. */
  public BitSet changedChunks() {
    return changedChunks;
  }

  /** Marks all changes as written. */
  public void written() {
    changedChunks.clear();
  }

  /** The number of the newest window; undefined if none was added. */
  public long newest() {
    return newest;
  }

  /** Number of slots of a chunk; 0 if it does not exist. */
  public int chunkSize(int chunk) {
    return Math.max(0, Math.min(CHUNK, spec.windows() - chunk * CHUNK));
  }

  /** The slots of a chunk, NaN for windows without readings. */
  public double[] chunk(int chunk) {
    double[] slots = slots(chunk);
    return slots == null ? empty(chunk) : slots.clone();
  }

  /**
   * Restores a chunk.
   *
   * @throws IllegalArgumentException if its length is wrong for this baseline
   */
  public void restore(int chunk, long newestWindow, double[] values) {
    if (chunk < 0 || chunk >= chunks() || values.length != chunkSize(chunk)) {
      throw new IllegalArgumentException("chunk " + chunk + " of a baseline");
    }
    newest = Math.max(newest, newestWindow);
    keep(chunk, isEmpty(values) ? null : values.clone());
    sums = null;
  }

  /**
   * Mean and standard deviation of a changing multiset of numbers. The sums of the numbers and of
   * their squares are exact, as multiples of a power of two, so that neither the order nor removed
   * numbers affect the result. Not safe for several threads.
   */
  static final class ExactSpread {
    private static final int MANTISSA_BITS = 52;
    private static final int BIAS = 1075;
    private static final int NO_EXPONENT = 1024;

    /** Bits of a double, one more, and a sticky bit. */
    private static final int ROUNDED_BITS = 64;

    private int numbers;

    /** All sums are multiples of two to this exponent. */
    private int exponent = NO_EXPONENT;

    private BigInteger sum = BigInteger.ZERO;
    private BigInteger squares = BigInteger.ZERO;

    /** Adds a finite number. */
    void add(double number) {
      numbers++;
      BigInteger units = units(number);
      sum = sum.add(units);
      squares = squares.add(units.multiply(units));
    }

    /** Removes a number that was added. */
    void remove(double number) {
      numbers--;
      BigInteger units = units(number);
      sum = sum.subtract(units);
      squares = squares.subtract(units.multiply(units));
      if (numbers == 0) {
        exponent = NO_EXPONENT;
      }
    }

    /** The number as a multiple of two to the exponent, which is lowered if necessary. */
    private BigInteger units(double number) {
      long bits = Double.doubleToRawLongBits(number);
      long mantissa = bits & (1L << MANTISSA_BITS) - 1;
      int biased =
          Math.getExponent(number) < Double.MIN_EXPONENT ? 1 : Math.getExponent(number) + 1023;
      mantissa |= Math.getExponent(number) < Double.MIN_EXPONENT ? 0 : 1L << MANTISSA_BITS;
      if (mantissa == 0) {
        return BigInteger.ZERO;
      }
      int zeros = Long.numberOfTrailingZeros(mantissa);
      int scale = biased - BIAS + zeros;
      if (scale < exponent) {
        sum = sum.shiftLeft(exponent - scale);
        squares = squares.shiftLeft(2 * (exponent - scale));
        exponent = scale;
      }
      long signed = number < 0 ? -(mantissa >>> zeros) : mantissa >>> zeros;
      return BigInteger.valueOf(signed).shiftLeft(scale - exponent);
    }

    /** Mean and deviation; each sum is rounded to a double once. */
    Baseline.Spread spread() {
      BigInteger n = BigInteger.valueOf(numbers);
      BigInteger distances = squares.multiply(n).subtract(sum.multiply(sum));
      double variance = rounded(distances, 2 * exponent) / ((double) numbers * numbers);
      return new Baseline.Spread(numbers, rounded(sum, exponent) / numbers, Math.sqrt(variance));
    }

    private static double rounded(BigInteger units, int exponent) {
      BigInteger size = units.abs();
      int excess = Math.max(0, size.bitLength() - ROUNDED_BITS);
      BigInteger top = size.shiftRight(excess);
      if (excess > 0 && size.getLowestSetBit() < excess) {
        top = top.setBit(0);
      }
      return units.signum() * Math.scalb(top.doubleValue(), exponent + excess);
    }
  }
}
