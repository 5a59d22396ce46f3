package io.weir.internal.text;

import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.summary.Derived;
import io.weir.v1.WindowSummary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What may come after the columns that a file of windows always has. A field is empty where the
 * window has no readings that it could be of.
 */
public enum WindowColumn {
  /** Readings of quality BAD. */
  BAD_COUNT(row -> Long.toString(row.badCount())),
  /** Sum over count. */
  MEAN(row -> row.count() == 0 ? "" : Double.toString(row.mean())),
  /** The largest value less the smallest. */
  SPREAD(row -> row.count() == 0 ? "" : Double.toString(row.max() - row.min() + 0.0)),
  /** First moment of the window, ISO 8601 in UTC. */
  WINDOW_START(row -> Instant.ofEpochMilli(row.startMs()).toString()),
  /** First moment after the window, ISO 8601 in UTC. */
  WINDOW_END(row -> Instant.ofEpochMilli(row.endMs()).toString()),

  /** Event time of the first reading. */
  FIRST_TIMESTAMP_MS(StatisticSet.FIRST_LAST, s -> Long.toString(s.getFirstTimestampMs())),
  FIRST(StatisticSet.FIRST_LAST, s -> Double.toString(s.getFirst())),
  /** Event time of the last reading. */
  LAST_TIMESTAMP_MS(StatisticSet.FIRST_LAST, s -> Long.toString(s.getLastTimestampMs())),
  LAST(StatisticSet.FIRST_LAST, s -> Double.toString(s.getLast())),
  /** Sum of squared distances from the mean. */
  M2(StatisticSet.VARIANCE, s -> Double.toString(s.getM2())),
  /** Of a sample; nothing for a single reading. */
  STANDARD_DEVIATION(StatisticSet.VARIANCE, s -> text(Derived.standardDeviation(s))),
  Q0_5(StatisticSet.HISTOGRAM, s -> text(Derived.quantile(s, 0.5))),
  Q0_9(StatisticSet.HISTOGRAM, s -> text(Derived.quantile(s, 0.9))),
  Q0_95(StatisticSet.HISTOGRAM, s -> text(Derived.quantile(s, 0.95))),
  Q0_99(StatisticSet.HISTOGRAM, s -> text(Derived.quantile(s, 0.99))),
  /** Readings of quality UNCERTAIN. */
  UNCERTAIN_COUNT(StatisticSet.QUALITY, s -> Long.toString(s.getUncertainCount())),
  /** Value x milliseconds; nothing where there were too many readings to keep, like the next. */
  INTEGRAL(StatisticSet.INTEGRAL, s -> s.hasIntegral() ? Double.toString(s.getIntegral()) : ""),
  /** Nothing for readings of a single time. */
  TIME_WEIGHTED_AVERAGE(StatisticSet.INTEGRAL, s -> text(Derived.timeWeightedAverage(s))),
  /** How far a counter rose. */
  INCREASE(StatisticSet.COUNTER, s -> s.hasIncrease() ? Double.toString(s.getIncrease()) : ""),
  /** How often a counter fell. */
  RESETS(StatisticSet.COUNTER, s -> s.hasResets() ? Long.toString(s.getResets()) : "");

  private final Optional<StatisticSet> set;
  private final Function<SummaryRow, String> field;

  WindowColumn(Function<SummaryRow, String> field) {
    this.set = Optional.empty();
    this.field = field;
  }

  WindowColumn(StatisticSet set, Function<WindowSummary, String> field) {
    this.set = Optional.of(set);
    this.field =
        row -> row.count() == 0 || row.summary().isEmpty() ? "" : field.apply(row.summary().get());
  }

  private static String text(OptionalDouble value) {
    return value.isPresent() ? Double.toString(value.getAsDouble()) : "";
  }

  /** All names, to be read. */
  public static String names() {
    return Stream.of(values()).map(WindowColumn::title).collect(Collectors.joining(", "));
  }

  /**
   * Columns by their names, with commas between them; none for an empty text.
   *
   * @throws IllegalArgumentException where a name is of none
   */
  public static List<WindowColumn> parse(String names) {
    List<WindowColumn> columns = new ArrayList<>();
    for (String name : names.isEmpty() ? new String[0] : names.split(",", -1)) {
      String title = name.strip().toLowerCase(Locale.ROOT);
      columns.add(
          Stream.of(values())
              .filter(column -> column.title().equals(title))
              .findFirst()
              .orElseThrow(() -> new IllegalArgumentException(name + ": expected: " + names())));
    }
    return columns;
  }

  /** The sets of statistics without which some of the columns would stay empty. */
  public static Set<StatisticSet> setsOf(List<WindowColumn> columns) {
    Set<StatisticSet> sets = EnumSet.noneOf(StatisticSet.class);
    columns.forEach(column -> column.set.ifPresent(sets::add));
    return sets;
  }

  /** As it is in the header. */
  String title() {
    String name = name().toLowerCase(Locale.ROOT);
    return name.startsWith("q0_") ? name.replace('_', '.') : name;
  }

  String of(SummaryRow row) {
    return field.apply(row);
  }
}
