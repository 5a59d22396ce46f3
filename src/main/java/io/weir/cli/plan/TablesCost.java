package io.weir.cli.plan;

import io.weir.cli.plan.PlannedJobs.Tables;
import java.util.ArrayList;
import java.util.List;

/** What {@code weir sink} writes to PostgreSQL, indexes included. */
final class TablesCost {
  private static final double DAY_MS = 86_400_000;

  /**
   * A table.
   *
   * @param rowsPerSecond that are new
   * @param updatesPerSecond of rows that are there
   * @param live rows that are kept, where days are not dropped
   */
  record Table(
      String name, double rowsPerSecond, double updatesPerSecond, double live, double rowBytes) {
    double bytesPerDay() {
      return rowsPerSecond * rowBytes * DAY_MS / 1000;
    }
  }

  private final Plan plan;
  private final JobFigures figures;
  private final Tables tables;

  TablesCost(Plan plan, Tables tables) {
    this.plan = plan;
    this.figures = plan.figures().jobs();
    this.tables = tables;
  }

  /** One for each that is switched on. */
  List<Table> tables() {
    PlanInput in = plan.input();
    List<Table> all = new ArrayList<>();
    double windows = in.sensors() * 1000 / Math.max(in.windowMs(), in.periodMs());
    all.add(days("weir_windows", windows, summaryRow()));
    if (!in.rollupsMs().isEmpty()) {
      all.add(days("weir_rollups", plan.summariesPerSecond() - windows, summaryRow()));
    }
    if (plan.hopping().sensors() > 0) {
      all.add(days("weir_hopping", plan.hopping().summariesPerSecond(), summaryRow()));
    }
    if (in.jobs().status()) {
      all.add(new Table("weir_status", 0, 0, in.sensors(), figures.statusRow().value()));
    }
    plan.events().ifPresent(events -> addEvents(all, events));
    return all;
  }

  private void addEvents(List<Table> all, EventsCost events) {
    events
        .groups()
        .ifPresent(
            groups ->
                all.add(
                    days("weir_groups", groups.windowsPerSecond(), figures.groupRow().value())));
    events
        .load()
        .folds()
        .ifPresent(
            folds ->
                all.add(
                    new Table(
                        "weir_entity",
                        0,
                        events.foldsPerSecond() * folds.fields(),
                        folds.keys() * folds.fields(),
                        figures.entityRow().value())));
  }

  private static Table days(String name, double rowsPerSecond, double rowBytes) {
    return new Table(name, rowsPerSecond, 0, 0, rowBytes);
  }

  /** Statistics that are switched on take what they take on the topic, a histogram more. */
  double summaryRow() {
    StatisticsCost statistics = plan.input().statistics();
    return figures.windowRow().value()
        + (statistics.hasHistogram() ? figures.histogramRow().value() : statistics.summary());
  }

  double rowsPerSecond() {
    return tables().stream().mapToDouble(t -> t.rowsPerSecond() + t.updatesPerSecond()).sum();
  }

  double bytesPerDay() {
    return tables().stream().mapToDouble(Table::bytesPerDay).sum();
  }

  /** Days that are kept, and the one that fills; infinite where they are kept for ever. */
  double days() {
    return Math.ceil(tables.retentionMs() / DAY_MS) + 1;
  }

  boolean isForEver() {
    return Double.isInfinite(tables.retentionMs());
  }

  double retentionMs() {
    return tables.retentionMs();
  }

  /** What does not grow by days. */
  double liveBytes() {
    return tables().stream().mapToDouble(t -> t.live() * t.rowBytes()).sum();
  }

  /** After so many days; of a year where they are kept for ever. */
  double atRest() {
    return bytesPerDay() * (isForEver() ? 365 : days()) + liveBytes();
  }

  /** Processes that write it, with the half in reserve. */
  int pods() {
    return (int) Math.max(1, Math.ceil(rowsPerSecond() * Plan.HEADROOM / figures.rows().value()));
  }
}
