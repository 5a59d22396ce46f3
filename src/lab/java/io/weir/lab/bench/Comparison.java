package io.weir.lab.bench;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The committed windows of a subject, compared with a plain pass over the same readings.
 *
 * @param committed windows in all
 * @param same windows that are as the pass has them
 * @param lacking windows that lack readings
 * @param missing windows that should have been closed and were not committed
 * @param lostReadings readings of windows that lack some, and of those that are missing
 * @param doubled windows that were committed again
 * @param wrong windows that the pass has not, or with more or other readings
 */
record Comparison(
    long committed,
    long same,
    long lacking,
    long missing,
    long lostReadings,
    long doubled,
    long wrong) {
  /** Whether each window was committed once and has no reading twice; some may be lost. */
  boolean isOnce() {
    return doubled == 0 && wrong == 0;
  }

  Figures figures() {
    return Figures.of(
        Map.of(
            Figure.WINDOWS,
            (double) committed,
            Figure.SAME_WINDOWS,
            (double) same,
            Figure.LACKING_WINDOWS,
            (double) lacking,
            Figure.MISSING_WINDOWS,
            (double) missing,
            Figure.LOST_READINGS,
            (double) lostReadings,
            Figure.DOUBLED_WINDOWS,
            (double) doubled,
            Figure.WRONG_WINDOWS,
            (double) wrong));
  }

  /** From figures that have one. */
  static Optional<Comparison> in(Figures figures) {
    if (figures.get(Figure.SAME_WINDOWS).isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Comparison(
            value(figures, Figure.WINDOWS),
            value(figures, Figure.SAME_WINDOWS),
            value(figures, Figure.LACKING_WINDOWS),
            value(figures, Figure.MISSING_WINDOWS),
            value(figures, Figure.LOST_READINGS),
            value(figures, Figure.DOUBLED_WINDOWS),
            value(figures, Figure.WRONG_WINDOWS)));
  }

  private static long value(Figures figures, Figure figure) {
    return (long) figures.get(figure).orElseThrow();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%,d windows committed, %,d as a plain pass has them; %s; %s",
        committed,
        same,
        lostReadings == 0 && missing == 0
            ? "nothing lost"
            : String.format(
                Locale.ROOT,
                "lost %,d readings: %,d windows lack some, %,d are missing",
                lostReadings,
                lacking,
                missing),
        isOnce()
            ? "none doubled or wrong"
            : String.format(Locale.ROOT, "%,d DOUBLED, %,d WRONG", doubled, wrong));
  }
}
