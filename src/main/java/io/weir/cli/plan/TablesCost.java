package io.weir.cli.plan;

import io.weir.cli.plan.PlannedJobs.Tables;
import java.util.ArrayList;
import java.util.List;

/** The tables that {@code weir sink} writes to PostgreSQL, including indexes. */
final class TablesCost {
  private static final double DAY_MS = 86_400_000;

  /**
   * A table.
   *
   * @param rowsPerSecond new rows per second
   * @param updatesPerSecond updates of existing rows per second
   * @param live number of rows of a table without partitions by day
   */
  record Table(
      String name, double rowsPerSecond, double updatesPerSecond, double live, double rowBytes) {
    double bytesPerDay() {
      return rowsPerSecond * rowBytes * DAY_MS / 1000;
    }
  }

  private final Plan plan;
  private final PlanFigures figures;
  private final Tables tables;

  TablesCost(Plan plan, Tables tables) {
    this.plan = plan;
    this.figures = plan.figures();
    this.tables = tables;
  }

  /** The enabled tables. */
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
      all.add(new Table("weir_status", 0, 0, in.sensors(), figures.value(Figure.STATUS_ROW_BYTES)));
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
                    days(
                        "weir_groups",
                        groups.windowsPerSecond(),
                        figures.value(Figure.GROUP_ROW_BYTES))));
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
                        figures.value(Figure.ENTITY_ROW_BYTES))));
  }

  private static Table days(String name, double rowsPerSecond, double rowBytes) {
    return new Table(name, rowsPerSecond, 0, 0, rowBytes);
  }

  /** Enabled statistics need the same bytes as on the topic; a histogram needs more. */
  double summaryRow() {
    StatisticsCost statistics = plan.input().statistics();
    return figures.value(Figure.WINDOW_ROW_BYTES)
        + (statistics.hasHistogram()
            ? figures.value(Figure.HISTOGRAM_ROW_BYTES)
            : statistics.summary());
  }

  double rowsPerSecond() {
    return tables().stream().mapToDouble(t -> t.rowsPerSecond() + t.updatesPerSecond()).sum();
  }

  double bytesPerDay() {
    return tables().stream().mapToDouble(Table::bytesPerDay).sum();
  }

  /** Retained days, and the current one; infinite for unlimited retention. */
  double days() {
    return Math.ceil(tables.retentionMs() / DAY_MS) + 1;
  }

  boolean isForEver() {
    return Double.isInfinite(tables.retentionMs());
  }

  double retentionMs() {
    return tables.retentionMs();
  }

  /** Bytes of the tables that do not grow by days. */
  double liveBytes() {
    return tables().stream().mapToDouble(t -> t.live() * t.rowBytes()).sum();
  }

  /** Bytes after the retention; after a year for unlimited retention. */
  double atRest() {
    return bytesPerDay() * (isForEver() ? 365 : days()) + liveBytes();
  }

  /** Number of processes that write it, with a reserve of a half. */
  int pods() {
    return (int)
        Math.max(
            1, Math.ceil(rowsPerSecond() * Plan.HEADROOM / figures.value(Figure.ROWS_PER_PROCESS)));
  }
}
