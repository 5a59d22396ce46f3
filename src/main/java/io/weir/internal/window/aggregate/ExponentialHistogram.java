package io.weir.internal.window.aggregate;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * The distribution of values: counts in buckets with exponential bounds, as in OpenTelemetry's
 * exponential histogram. The scale is the largest, at most 12, at which the values are in at most
 * {@value #MOST_BUCKETS} buckets of each sign; so scale and counts are a function of the values.
 * Adding costs a search of twelve steps. Not safe for several threads.
 */
public final class ExponentialHistogram {
  /** Maximum number of buckets of each sign. */
  public static final int MOST_BUCKETS = 160;

  private int scale = BucketIndex.FINEST_SCALE;
  private long zeroCount;
  private final Buckets positive;
  private final Buckets negative;

  public ExponentialHistogram() {
    this(BucketIndex.FINEST_SCALE, 0, new Buckets(), new Buckets());
  }

  /** Restores a histogram from values of the getters. */
  public ExponentialHistogram(int scale, long zeroCount, Buckets positive, Buckets negative) {
    this.scale = scale;
    this.zeroCount = zeroCount;
    this.positive = positive;
    this.negative = negative;
  }

  /** The buckets of values of one sign, by their magnitudes. Bucket i is at i - offset. */
  public static final class Buckets {
    private int offset;
    private long[] counts;

    Buckets() {
      this(0, new long[0]);
    }

    /** Restores buckets from values of the getters; the first and the last count are not 0. */
    public Buckets(int offset, long[] counts) {
      this.offset = offset;
      this.counts = counts;
    }

    /** The index of the first count. */
    public int offset() {
      return offset;
    }

    /** Number of counts: 0, or from the first used bucket to the last. */
    public int size() {
      return counts.length;
    }

    public long count(int position) {
      return counts[position];
    }

    private boolean isEmpty() {
      return counts.length == 0;
    }

    private int last() {
      return offset + counts.length - 1;
    }

    private void add(int index, long count) {
      reach(index, index);
      counts[index - offset] = Math.addExact(counts[index - offset], count);
    }

    private void reach(int from, int through) {
      if (isEmpty()) {
        offset = from;
        counts = new long[through - from + 1];
      } else if (from < offset || through > last()) {
        int newOffset = Math.min(from, offset);
        long[] wider = new long[Math.max(through, last()) - newOffset + 1];
        System.arraycopy(counts, 0, wider, offset - newOffset, counts.length);
        offset = newOffset;
        counts = wider;
      }
    }

    private void coarsen(int shift) {
      if (shift == 0 || isEmpty()) {
        return;
      }
      long[] coarse = new long[(last() >> shift) - (offset >> shift) + 1];
      for (int i = 0; i < counts.length; i++) {
        int index = ((offset + i) >> shift) - (offset >> shift);
        coarse[index] = Math.addExact(coarse[index], counts[i]);
      }
      offset >>= shift;
      counts = coarse;
    }

    /** The reduction of the scale after which these buckets fit. */
    private int shiftFor(int from, int through) {
      int low = isEmpty() ? from : Math.min(from, offset);
      int high = isEmpty() ? through : Math.max(through, last());
      int shift = 0;
      while ((high >> shift) - (low >> shift) >= MOST_BUCKETS) {
        shift++;
      }
      return shift;
    }

    private Buckets copy() {
      return new Buckets(offset, counts.clone());
    }
  }

  /**
   * Adds a value.
   *
   * @param value finite
   */
  void add(double value) {
    if (value == 0) {
      zeroCount++;
      return;
    }
    Buckets side = value > 0 ? positive : negative;
    int finest = BucketIndex.of(Math.abs(value));
    int index = finest >> (BucketIndex.FINEST_SCALE - scale);
    int shift = side.shiftFor(index, index);
    coarsen(shift);
    side.add(index >> shift, 1);
  }

  private void coarsen(int shift) {
    positive.coarsen(shift);
    negative.coarsen(shift);
    scale -= shift;
  }

  /** Adds another histogram, which is not changed. */
  void merge(ExponentialHistogram other) {
    zeroCount = Math.addExact(zeroCount, other.zeroCount);
    if (other.scale < scale) {
      coarsen(scale - other.scale);
    }
    Buckets otherPositive = other.positive.copy();
    Buckets otherNegative = other.negative.copy();
    otherPositive.coarsen(other.scale - scale);
    otherNegative.coarsen(other.scale - scale);
    int shift = Math.max(shiftFor(positive, otherPositive), shiftFor(negative, otherNegative));
    coarsen(shift);
    mergeSide(positive, otherPositive, shift);
    mergeSide(negative, otherNegative, shift);
  }

  private static int shiftFor(Buckets mine, Buckets other) {
    return other.isEmpty() ? 0 : mine.shiftFor(other.offset, other.last());
  }

  private static void mergeSide(Buckets mine, Buckets other, int shift) {
    other.coarsen(shift);
    for (int i = 0; i < other.counts.length; i++) {
      if (other.counts[i] > 0) {
        mine.add(other.offset + i, other.counts[i]);
      }
    }
  }

  /** Bucket bounds grow by the factor 2^(2^-scale). */
  public int scale() {
    return scale;
  }

  /** Number of values that are 0. */
  public long zeroCount() {
    return zeroCount;
  }

  public Buckets positive() {
    return positive;
  }

  public Buckets negative() {
    return negative;
  }

  @Override
  public String toString() {
    return "scale %d, %d zeros, from %d %s, negative from %d %s"
        .formatted(
            scale,
            zeroCount,
            positive.offset,
            Arrays.toString(positive.counts),
            negative.offset,
            Arrays.toString(negative.counts));
  }

  /**
   * The bucket of a value in an exponential histogram of scale {@value #FINEST_SCALE}: bucket
   * {@code i} has the values from base^i, exclusive, to base^(i + 1), inclusive, with base =
   * 2^(2^-12), as in OpenTelemetry's data model. The bucket at a coarser scale {@code s} is this
   * one shifted right by {@code 12 - s}.
   *
   * <p>The bounds within a power of two are computed once, exactly, with integers: a value's bucket
   * is the same on every machine, which Math.log does not guarantee.
   */
  static final class BucketIndex {
    static final int FINEST_SCALE = 12;

    private static final int BUCKETS = 1 << FINEST_SCALE;
    private static final int FRACTION_BITS = 52;
    private static final long ONE = 1L << FRACTION_BITS;

    /** {@code BOUNDS[k]}: the largest mantissa of 53 bits that is at most 2^(k / 4096). */
    private static final long[] BOUNDS = bounds();

    private BucketIndex() {}

    /**
     * Fixed-point numbers with this number of fractional bits; the error of a root is less than the
     * last bit.
     */
    private static final int PRECISION = 320;

    private static long[] bounds() {
      BigInteger root = BigInteger.TWO.shiftLeft(PRECISION);
      for (int i = 0; i < FINEST_SCALE; i++) {
        root = root.shiftLeft(PRECISION).sqrt();
      }
      long[] bounds = new long[BUCKETS];
      BigInteger power = BigInteger.ONE.shiftLeft(PRECISION);
      for (int k = 0; k < BUCKETS; k++) {
        bounds[k] = power.shiftRight(PRECISION - FRACTION_BITS).longValueExact();
        power = power.multiply(root).shiftRight(PRECISION);
      }
      return bounds;
    }

    /**
     * Returns the bucket of a magnitude.
     *
     * @param magnitude positive and finite
     */
    static int of(double magnitude) {
      long bits = Double.doubleToRawLongBits(magnitude);
      int exponent = (int) (bits >>> FRACTION_BITS);
      long mantissa = bits & (ONE - 1);
      if (exponent == 0) {
        int shift = Long.numberOfLeadingZeros(mantissa) - (Long.SIZE - 1 - FRACTION_BITS);
        mantissa <<= shift;
        exponent = 1 - shift;
      } else {
        mantissa |= ONE;
      }
      return (exponent - Double.MAX_EXPONENT) * BUCKETS + within(mantissa);
    }

    /** The last k with 2^(k / 4096) below the mantissa; -1 for the power of two itself. */
    private static int within(long mantissa) {
      if (mantissa == ONE) {
        return -1;
      }
      int low = 0;
      int high = BUCKETS;
      while (high - low > 1) {
        int middle = (low + high) >>> 1;
        if (BOUNDS[middle] < mantissa) {
          low = middle;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }
}
