package io.weir.cli.plot;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Maps values between two different bounds to positions from 0 to 1. */
record Scale(double low, double high) {
  /** The scale of all values; constant values get a small margin. */
  static Scale over(WindowSeries.Band all) {
    double low = all.min();
    double high = all.max();
    if (low == high) {
      double room = low == 0 ? 1 : Math.abs(low) * 0.01;
      return new Scale(low - room, high + room);
    }
    return new Scale(low, high);
  }

  /** 0 for the lowest, 1 for the highest. */
  double place(double value) {
    // Halved, because the difference of two doubles may overflow.
    double place = (value / 2 - low / 2) / (high / 2 - low / 2);
    return Math.max(0, Math.min(1, place));
  }

  double value(double place) {
    return low * (1 - place) + high * place;
  }

  /** A number with the digits that are necessary to distinguish positions on this scale. */
  String label(double value) {
    double step = (high / 2 - low / 2) / 50;
    int decimals = (int) Math.ceil(-Math.log10(step));
    if (!Double.isFinite(value) || decimals > 12 || Math.abs(value) >= 1e9) {
      return String.format(Locale.ROOT, "%.4g", value);
    }
    BigDecimal rounded =
        new BigDecimal(value).setScale(Math.max(0, decimals), RoundingMode.HALF_EVEN);
    return rounded.toPlainString();
  }
}
