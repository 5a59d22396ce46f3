package io.weir.cli.doctor;

import io.weir.cli.pages.Exposition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Checks weir sink and weir collect: unreachable databases, rejected rows, long delays. */
final class PostgresCheck implements Check {
  private static final double STALLED_S = Duration.ofMinutes(1).toSeconds();
  private static final double LONG_S = Duration.ofMinutes(5).toSeconds();

  @Override
  public String name() {
    return "postgresql";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    List<Finding> findings = new ArrayList<>();
    cluster.metrics().forEach((process, page) -> look(cluster.pages(), process, page, findings));
    List<Exposition> collectors =
        cluster.metrics().values().stream().filter(p -> p.has("weir_collect_active")).toList();
    if (!collectors.isEmpty()
        && collectors.stream().allMatch(page -> page.sum("weir_collect_active") == 0)) {
      findings.add(
          broken(
              "no process of weir collect in --url is active",
              "rows wait in the outbox",
              "name all processes with --url; the log of each has the reason"));
    }
    return findings;
  }

  private void look(Pages pages, String process, Exposition page, List<Finding> findings) {
    for (String command : List.of("sink", "collect")) {
      String metric = "weir_" + command;
      if (page.has(metric + "_connected") && page.sum(metric + "_connected") == 0) {
        findings.add(
            broken(
                process + ": weir " + command + " has no connection to its database",
                "it neither reads nor writes rows",
                "check PostgreSQL and weir." + command + ".jdbc.url; the log has the reason"));
      }
      CounterDelta rejects = CounterDelta.of(pages, process, metric + "_rejects_total");
      if (rejects.total() > 0) {
        findings.add(
            counted(
                rejects,
                process
                    + ": weir "
                    + command
                    + " rejected "
                    + counts(page, metric + "_rejects_total")
                    + " "
                    + rejects.when(),
                "they were not transferred",
                "table "
                    + (command.equals("sink") ? "weir_sink_rejects" : "weir_outbox_rejects")
                    + " lists each with its reason (docs/postgresql.md)"));
      }
      if (page.sum(metric + "_delay_seconds") > LONG_S) {
        findings.add(
            risk(
                String.format(
                    Locale.ROOT,
                    "%s: the oldest record or row for weir %s waits for %.0f s",
                    process,
                    command,
                    page.sum(metric + "_delay_seconds")),
                "it does not keep up, or is blocked",
                "check its log and the database's load; add processes of weir sink, or raise"
                    + " weir.collect.max.rate"));
      }
    }
    if (page.sum("weir_sink_stalled_seconds") > STALLED_S) {
      findings.add(
          broken(
              String.format(
                  Locale.ROOT,
                  "%s: weir sink has written nothing for %.0f s, and records wait",
                  process,
                  page.sum("weir_sink_stalled_seconds")),
              "the tables are not updated",
              "see its log and /readyz: a slow statement, a lock, a full disk"));
    }
    CounterDelta lost = CounterDelta.of(pages, process, "weir_sink_lost_total");
    if (lost.total() > 0) {
      findings.add(
          counted(
              lost,
              String.format(
                  Locale.ROOT,
                  "%s: weir sink skipped %.0f offsets that were deleted before they were written, %s",
                  process,
                  lost.total(),
                  lost.when()),
              "their rows are missing",
              "raise the retention of the topic, and restore the rows from a backup"));
    }
    if (page.sum("weir_collect_held_back_seconds") > LONG_S) {
      findings.add(
          risk(
              String.format(
                  Locale.ROOT,
                  "%s: an open transaction has blocked rows for %.0f s",
                  process,
                  page.sum("weir_collect_held_back_seconds")),
              "later rows are not collected",
              "end the transaction that its log names (pg_terminate_backend, ROLLBACK PREPARED)"));
    }
  }

  private static String counts(Exposition page, String metric) {
    Map<String, Double> byReason = page.of(metric);
    return Offsets.list(
        byReason.entrySet().stream().filter(each -> each.getValue() > 0).toList(),
        each -> String.format(Locale.ROOT, "%.0f %s", each.getValue(), each.getKey()));
  }
}
