package io.weir.lab.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** All figures of a bench: for each cell one of each kind a round. For one thread. */
public final class BenchResults {
  private final BenchPlan plan;
  private final List<LoadedTopic> loads;
  private final Map<Cell, List<Figures>> figures = new LinkedHashMap<>();

  BenchResults(BenchPlan plan, List<LoadedTopic> loads) {
    this.plan = plan;
    this.loads = List.copyOf(loads);
    plan.steps().forEach(step -> figures.put(step.cell(), new ArrayList<>()));
  }

  /** Adds a round's figures of a cell; rounds come in order. */
  void add(Cell cell, Figures measured) {
    figures.get(cell).add(measured);
  }

  public BenchPlan plan() {
    return plan;
  }

  public List<LoadedTopic> loads() {
    return loads;
  }

  /** Each cell's figures, a round each. */
  public Map<Cell, List<Figures>> all() {
    return Collections.unmodifiableMap(figures);
  }

  /** A figure over the rounds; empty where it was not measured. */
  public Optional<Spread> spread(Cell cell, Figure figure) {
    double[] values =
        figures.getOrDefault(cell, List.of()).stream()
            .flatMapToDouble(round -> round.get(figure).stream())
            .toArray();
    return values.length == 0 ? Optional.empty() : Optional.of(Spread.of(values));
  }

  /**
   * One cell's figure over another's: the ratio is taken in each round, where both were measured
   * within minutes of each other, and then its middle. A round with one side only has none.
   */
  public Optional<Spread> ratio(Figure figure, Cell of, Cell over) {
    List<Figures> upper = figures.getOrDefault(of, List.of());
    List<Figures> lower = figures.getOrDefault(over, List.of());
    double[] ratios =
        IntStream.range(0, Math.min(upper.size(), lower.size()))
            .filter(round -> has(upper.get(round), figure) && has(lower.get(round), figure))
            .mapToDouble(round -> value(upper.get(round), figure) / value(lower.get(round), figure))
            .toArray();
    return ratios.length == 0 ? Optional.empty() : Optional.of(Spread.of(ratios));
  }

  private static boolean has(Figures round, Figure figure) {
    return round.get(figure).isPresent();
  }

  private static double value(Figures round, Figure figure) {
    return round.get(figure).orElseThrow();
  }
}
