package io.weir.lab;

/**
 * Chance that can be had again: a number's value depends on the seed and the number alone, in
 * whatever order they are asked for (SplitMix64's finaliser). Stateless, a few multiplications.
 */
public record SeededChance(long seed) {
  /** 64 bits, each as likely 0 as 1. */
  public long bits(long number) {
    long z = seed + (number + 1) * 0x9e3779b97f4a7c15L;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }

  /** From 0 up to, not including, 1. */
  public double unit(long number) {
    return (bits(number) >>> 11) * 0x1p-53;
  }

  /** From -1 up to, not including, 1. */
  public double signed(long number) {
    return 2 * unit(number) - 1;
  }

  /** From 0 up to, not including, {@code bound}. */
  public int below(int bound, long number) {
    return (int) Long.remainderUnsigned(bits(number), bound);
  }
}
