package io.weir.cli.plan;

import static io.weir.cli.plan.ItemList.number;
import static io.weir.cli.plan.PlanUnit.BYTES;
import static io.weir.cli.plan.PlanUnit.BYTES_PER_SECOND;
import static io.weir.cli.plan.PlanUnit.COUNT;
import static io.weir.cli.plan.PlanUnit.HOURS;
import static io.weir.cli.plan.PlanUnit.PER_SECOND;
import static io.weir.cli.plan.PlanUnit.PROCESSORS;
import static io.weir.cli.plan.PlanUnit.SECONDS;

import io.weir.cli.plan.PlannedJobs.ImportLoad;
import java.util.List;

/** The items of a plan, each with its arithmetic. For one use by one thread. */
final class PlanItems {
  /** A second, of a pod with the default weir.import.commit.interval. */
  private static final double IMPORT_TRANSACTIONS = 10;

  private final Plan plan;
  private final PlanInput in;
  private final PlanFigures measured;
  private final ItemList items = new ItemList();

  PlanItems(Plan plan) {
    this.plan = plan;
    this.in = plan.input();
    this.measured = plan.figures();
  }

  List<PlanItem> all() {
    threads();
    pods();
    topics();
    if (plan.events().isPresent()) {
      new EventItems(plan, items).add();
    }
    in.jobs().imports().ifPresent(this::imports);
    EdgeCost.of(plan).ifPresent(cost -> cost.add(items));
    plan.tables().ifPresent(tables -> new TableItems(tables, items).add());
    brokers();
    return items.all();
  }

  private void threads() {
    items.section("Threads and partitions");
    items.add(
        "thread_readings_per_second",
        "readings per thread",
        plan.threadRate(),
        PER_SECOND,
        "with %s readings of a sensor in a batch; measured %s with 6, %s with 1",
        number(in.run()),
        PER_SECOND.write(measured.value(Figure.DENSE_READINGS_PER_SECOND)),
        PER_SECOND.write(measured.value(Figure.WIDE_READINGS_PER_SECOND)));
    items.add(
        "threads",
        "threads",
        plan.threads(),
        COUNT,
        "%s / %s x %s, rounded up",
        PER_SECOND.write(in.rate()),
        PER_SECOND.write(plan.threadRate()),
        number(Plan.HEADROOM));
    items.add(
        "partitions",
        "needed partitions",
        plan.partitions(),
        COUNT,
        "rounded up to a power of two; Weir has %d",
        Plan.PARTITIONS);
  }

  private void pods() {
    items.section("Pods");
    int pods = plan.pods();
    items.add(
        "pods",
        "pods",
        pods,
        COUNT,
        in.pods() > 0
            ? "from --pods"
            : "%d threads each; --memory allows at most %s of memory each",
        in.threadsPerPod(),
        BYTES.write(in.podBytes()));
    items.add(
        "min_replicas",
        "minimum pods",
        plan.minReplicas(),
        COUNT,
        "one may fail: the others have memory for all state, and process the load without reserve");
    items.add(
        "pod_processors",
        "busy processors of a pod",
        plan.processorsPerPod(),
        PROCESSORS,
        "%s / %s / %d",
        PER_SECOND.write(in.rate()),
        PER_SECOND.write(plan.threadRate()),
        pods);
    items.add(
        "state_bytes",
        "state, one copy",
        plan.stateBytes(),
        BYTES,
        "%s sensors x %s: %s, %s retained windows and %d rollups of %s each, statistics %s%s",
        COUNT.write(in.sensors()),
        BYTES.write(plan.stateBytesPerSensor()),
        BYTES.write(measured.value(Figure.STATE_BYTES_PER_SENSOR)),
        number(in.keptWindows()),
        in.rollupsMs().size(),
        BYTES.write(measured.value(Figure.STATE_WINDOW_BYTES)),
        BYTES.write(in.statistics().heap()),
        more());
    heap("pod_heap_bytes", "heap of a pod", pods);
    heap("pod_heap_after_loss_bytes", "heap after a pod failure", Math.max(1, pods - 1));
    items.add(
        "pod_limit_bytes",
        "memory limit of a pod",
        plan.limit(pods),
        BYTES,
        "that heap / %s, the heap's share of the limit",
        number(Plan.HEAP_SHARE));
  }

  /** The additional state of hopping windows and status. */
  private String more() {
    HoppingCost hopping = plan.hopping();
    String more = "";
    if (hopping.sensors() > 0) {
      more =
          "; hopping windows of %s sensors x %s"
              .formatted(COUNT.write(hopping.sensors()), BYTES.write(hopping.heapBytesPerSensor()));
    }
    return in.jobs().status()
        ? more
            + "; status "
            + BYTES.write(plan.statusSensors() * measured.value(Figure.STATUS_HEAP_BYTES))
        : more;
  }

  private void heap(String key, String label, int pods) {
    items.add(
        key,
        label,
        plan.heap(pods),
        BYTES,
        "%s + 2 x (%s x %d copies / %d pods + %d threads x %s)",
        BYTES.write(Plan.BASE_HEAP),
        BYTES.write(plan.stateBytes()),
        Math.min(pods, 1 + in.standbys()),
        pods,
        in.threadsPerPod(),
        BYTES.write(Plan.THREAD_HEAP));
  }

  private void topics() {
    items.section("Topics, one replica");
    items.add(
        "readings_bytes_per_second",
        "weir.readings",
        plan.readingsBytesPerSecond(),
        BYTES_PER_SECOND,
        "%s x %s B, with %s readings in a batch of %s gateways",
        PER_SECOND.write(in.rate()),
        number(plan.readingBytes()),
        number(in.jobs().publishing().readingsInBatch(in.rate())),
        COUNT.write(in.jobs().publishing().gatewaysFor(in.rate())));
    items.add(
        "readings_at_rest_bytes",
        "  at rest",
        plan.readingsAtRest(),
        BYTES,
        "x %s h, at most %d x %s",
        number(in.retentionMs() / 3_600_000),
        Plan.PARTITIONS,
        BYTES.write(in.retentionBytes()));
    items.add(
        "retention_hours",
        "  retained for",
        plan.retentionHours(),
        HOURS,
        "the setting is %s h",
        number(in.retentionMs() / 3_600_000));
    items.add(
        "windows_bytes_per_second",
        "weir.windows, rollups",
        plan.windowsBytesPerSecond(),
        BYTES_PER_SECOND,
        "%s summaries x (%s B + statistics %s)",
        PER_SECOND.write(plan.summariesPerSecond()),
        number(measured.value(Figure.WINDOW_BYTES)),
        BYTES.write(in.statistics().summary()));
    items.add(
        "windows_at_rest_bytes",
        "  at rest",
        plan.windowsAtRest(),
        BYTES,
        "x %s h, at most %d x %s",
        number(in.windowsRetentionMs() / 3_600_000),
        Plan.PARTITIONS,
        BYTES.write(in.windowsRetentionBytes()));
    if (plan.hopping().sensors() > 0) {
      items.topic(
          plan.hopping().topic(),
          "%s summaries x (%s B + statistics %s)",
          PER_SECOND.write(plan.hopping().summariesPerSecond()),
          number(measured.value(Figure.WINDOW_BYTES)),
          BYTES.write(in.statistics().summary()));
    }
    if (in.jobs().status()) {
      items.add(
          "status_at_rest_bytes",
          "weir.status, at rest",
          plan.statusAtRest(),
          BYTES,
          "2 x %s sensors x %s B, compacted",
          COUNT.write(in.sensors()),
          number(measured.value(Figure.STATUS_BYTES)));
    }
    items.add(
        "changelog_bytes_per_second",
        "changelog",
        plan.changelogBytesPerSecond(),
        BYTES_PER_SECOND,
        "%s changes (a sensor once every %s s) x %s, statistics %s%s",
        PER_SECOND.write(plan.changelogEntriesPerSecond()),
        number(Math.max(in.periodMs(), in.betweenCommitsMs()) / 1000),
        BYTES.write(plan.changeBytes()),
        BYTES.write(in.statistics().changelog()),
        plan.hopping().sensors() == 0
            ? ""
            : " + "
                + BYTES_PER_SECOND.write(plan.hopping().changelogBytesPerSecond())
                + " hopping");
    items.add(
        "changelog_at_rest_bytes",
        "  at rest",
        plan.changelogAtRest(),
        BYTES,
        "2 x %s live, plus a segment of each partition",
        BYTES.write(plan.changelogLive()));
  }

  private void imports(ImportLoad load) {
    items.section("weir import");
    items.add(
        "import_pods",
        "pods",
        load.pods(),
        COUNT,
        "at most one for each of %d source partitions; their memory was not measured",
        load.partitions());
    double transactions = load.pods() * IMPORT_TRANSACTIONS;
    items.add(
        "import_transactions_per_second",
        "transactions",
        transactions,
        PER_SECOND,
        "%d pods x %s, weir.import.commit.interval",
        load.pods(),
        PER_SECOND.write(IMPORT_TRANSACTIONS));
    items.add(
        "import_batch_records",
        "records in a batch",
        Math.max(1, load.rate() / transactions / Plan.PARTITIONS),
        COUNT,
        "%s / %s / %d partitions, at least 1",
        PER_SECOND.write(load.rate()),
        PER_SECOND.write(transactions),
        Plan.PARTITIONS);
    items.add(
        "import_processors",
        "busy processors of all pods",
        load.rate() * load.recordMicros() / 1e6,
        PROCESSORS,
        load.recordMicros() > 0
            ? "%s x %s us"
            : "not known: weir bench --load import measures the CPU of a record for --import-cpu",
        PER_SECOND.write(load.rate()),
        number(load.recordMicros()));
  }

  private void brokers() {
    items.section("Each of " + in.brokers() + " brokers, " + in.replicas() + " replicas");
    items.add(
        "broker_in_bytes_per_second", "written", plan.brokerIn(), BYTES_PER_SECOND, "all topics");
    items.add(
        "broker_out_bytes_per_second",
        "sent",
        plan.brokerOut(),
        BYTES_PER_SECOND,
        "to followers, readings to Weir, windows to one consumer");
    items.add("broker_at_rest_bytes", "at rest", plan.brokerAtRest(), BYTES, "all topics");
    items.section("After a pod failure");
    items.add(
        "restore_seconds",
        "restore of its state",
        plan.restoreSeconds(),
        SECONDS,
        "%s / %d pods / %s/s",
        BYTES.write(plan.changelogAtRest()),
        plan.pods(),
        BYTES.write(measured.value(Figure.RESTORE_BYTES_PER_SECOND)));
    items.add(
        "failover_seconds",
        "its partitions continue after",
        plan.failoverSeconds(),
        SECONDS,
        in.standbys() > 0
            ? "session timeout %s s; a standby has the state"
            : "session timeout %s s, plus the restore",
        number(in.sessionMs() / 1000));
  }

  /** The items of PostgreSQL, each with its arithmetic. */
  static final class TableItems {
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
}
