package io.weir.cli.plan;

import java.util.Locale;

/**
 * A measured size that is linear in a number: {@code base + each x n}. Immutable.
 *
 * @param each increment for one more
 * @param source its origin, in a few words
 */
public record Linear(double base, double each, String source) {
  public Linear {
    if (!(base >= 0) || !(each >= 0) || !(base + each > 0) || Double.isInfinite(base + each)) {
      throw new IllegalArgumentException(
          source + ": " + base + " + " + each + " x is not a valid figure");
    }
  }

  double at(double n) {
    return base + each * n;
  }

  /** The formula with a name for n. */
  String text(String n) {
    return String.format(Locale.ROOT, "%s + %s x %s", number(base), number(each), n);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.2f", value);
  }
}
