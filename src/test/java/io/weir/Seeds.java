package io.weir;

import java.util.Random;

/** Runs a randomised test over many seeds and names the one it failed with. */
public final class Seeds {
  /** With {@code -Dweir.seed=N} only that seed is run. */
  private static final Long ONLY = Long.getLong("weir.seed");

  private Seeds() {}

  /** What is to hold for every seed. */
  @FunctionalInterface
  public interface Property {
    void check(Random random) throws Exception;
  }

  public static void forEach(int count, Property property) {
    if (ONLY != null) {
      check(ONLY, property);
      return;
    }
    for (long seed = 1; seed <= count; seed++) {
      check(seed, property);
    }
  }

  private static void check(long seed, Property property) {
    try {
      property.check(new Random(seed));
    } catch (Throwable failure) {
      throw new AssertionError(
          "seed " + seed + " (again with -Dweir.seed=" + seed + "): " + failure, failure);
    }
  }
}
