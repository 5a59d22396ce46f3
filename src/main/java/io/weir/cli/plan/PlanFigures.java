package io.weir.cli.plan;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The measured figures of a plan.
 *
 * @param own those that were measured on the user's machines
 */
public record PlanFigures(Map<Figure, Linear> own) {
  /** The figures of the documentation. */
  public static final PlanFigures DEFAULT = new PlanFigures(Map.of());

  public PlanFigures {
    own = Map.copyOf(own);
  }

  /** These with another value of a figure; the same if it is no valid figure. */
  PlanFigures with(Figure figure, double value, String source) {
    if (!(value > 0) || Double.isInfinite(value)) {
      return this;
    }
    Map<Figure, Linear> more = new EnumMap<>(Figure.class);
    more.putAll(own);
    more.put(figure, new Linear(value, 0, source));
    return new PlanFigures(more);
  }

  Linear get(Figure figure) {
    return own.getOrDefault(figure, figure.measured());
  }

  double value(Figure figure) {
    return get(figure).base();
  }

  /** The value of a linear figure for n. */
  double at(Figure figure, double n) {
    return get(figure).at(n);
  }

  /** The figures that a plan uses. */
  static List<Figure> of(Plan plan) {
    return Stream.of(Figure.values()).filter(figure -> figure.part().isIn(plan)).toList();
  }

  /** A line of the output. */
  String line(Figure figure) {
    Linear linear = get(figure);
    return String.format(
        Locale.ROOT,
        "  %-28s %14s   %s",
        figure.text().replace('_', ' '),
        linear.each() == 0
            ? String.format(Locale.ROOT, "%,.1f", linear.base())
            : String.format(Locale.ROOT, "%,.0f + %.2f n", linear.base(), linear.each()),
        linear.source());
  }
}
