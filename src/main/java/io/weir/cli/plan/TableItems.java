package io.weir.cli.plan;

import static io.weir.cli.plan.ItemList.number;

/** The items of PostgreSQL, each with its arithmetic. */
final class TableItems {
  private static final double HOUR_MS = 3_600_000;

  private final TablesCost cost;
  private final ItemList items;

  TableItems(TablesCost cost, ItemList items) {
    this.cost = cost;
    this.items = items;
  }

  void add() {
    items.section("PostgreSQL, with indexes");
    items.add(
        "rows_per_second",
        "rows",
        cost.rowsPerSecond(),
        PlanUnit.PER_SECOND,
        "all tables, including updates; %d processes of weir sink",
        cost.pods());
    cost.tables().forEach(this::table);
    items.add(
        "tables_bytes_per_day",
        "all tables, a day",
        cost.bytesPerDay(),
        PlanUnit.BYTES,
        "without the WAL");
    if (!cost.isForEver()) {
      items.add(
          "tables_retention_hours",
          "  retained for",
          cost.retentionMs() / HOUR_MS,
          PlanUnit.HOURS,
          "at least: %s partitions by day, dropped as a whole",
          number(cost.days()));
    }
    items.add(
        "tables_at_rest_bytes",
        "  at rest",
        cost.atRest(),
        PlanUnit.BYTES,
        cost.isForEver()
            ? "after a year: without --sink-retention nothing is dropped; plus %2$s live"
            : "%s partitions by day, plus %s live",
        number(cost.days()),
        PlanUnit.BYTES.write(cost.liveBytes()));
  }

  private void table(TablesCost.Table table) {
    String key = table.name().substring("weir_".length());
    if (table.rowsPerSecond() > 0) {
      items.add(
          key + "_table_bytes_per_day",
          table.name() + ", a day",
          table.bytesPerDay(),
          PlanUnit.BYTES,
          "%s rows x %s B",
          PlanUnit.PER_SECOND.write(table.rowsPerSecond()),
          number(table.rowBytes()));
    } else {
      items.add(
          key + "_table_bytes",
          table.name(),
          table.live() * table.rowBytes(),
          PlanUnit.BYTES,
          "%s rows x %s B, %s updates",
          PlanUnit.COUNT.write(table.live()),
          number(table.rowBytes()),
          PlanUnit.PER_SECOND.write(table.updatesPerSecond()));
    }
  }
}
