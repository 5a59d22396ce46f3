package io.weir.cli.doctor;

import io.weir.cli.pages.Exposition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Checks weir sink and weir collect: a database that cannot be reached, rejected rows, rows that
 * wait too long.
 */
final class PostgresCheck implements Check {
  private static final double STALLED_S = Duration.ofMinutes(1).toSeconds();
  private static final double LONG_S = Duration.ofMinutes(5).toSeconds();

  @Override
  public String name() {
    return "postgresql";
  }

  @Override
  public List<Finding> look(Examination of) {
    List<Finding> findings = new ArrayList<>();
    of.metrics().forEach((process, page) -> look(of.pages(), process, page, findings));
    List<Exposition> collectors =
        of.metrics().values().stream().filter(p -> p.has("weir_collect_active")).toList();
    if (!collectors.isEmpty()
        && collectors.stream().allMatch(page -> page.sum("weir_collect_active") == 0)) {
      findings.add(
          broken(
              "no process of weir collect that was asked collects",
              "rows wait in the outbox",
              "name all of them with --url; the log of each says what it waits for"));
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
                "nothing is written there, or read from there",
                "is PostgreSQL up and weir." + command + ".jdbc.url right? Its log says why not"));
      }
      Counted rejects = Counted.of(pages, process, metric + "_rejects_total");
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
                "they are not on the other side",
                "table "
                    + (command.equals("sink") ? "weir_sink_rejects" : "weir_outbox_rejects")
                    + " has each with its reason (docs/postgresql.md)"));
      }
      if (page.sum(metric + "_delay_seconds") > LONG_S) {
        findings.add(
            risk(
                String.format(
                    Locale.ROOT,
                    "%s: what waits longest for weir %s waits for %.0f s",
                    process,
                    command,
                    page.sum(metric + "_delay_seconds")),
                "it does not keep up, or is held up",
                "its log; the database's load; more processes of weir sink, or a higher"
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
              "the tables stand still",
              "its log and /readyz say why: a statement that takes too long, a lock, a full disk"));
    }
    Counted lost = Counted.of(pages, process, "weir_sink_lost_total");
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
              "raise the retention of the topic, and write them again from a backup"));
    }
    if (page.sum("weir_collect_held_back_seconds") > LONG_S) {
      findings.add(
          risk(
              String.format(
                  Locale.ROOT,
                  "%s: a transaction that does not end holds rows back for %.0f s",
                  process,
                  page.sum("weir_collect_held_back_seconds")),
              "rows behind it are not collected",
              "the log of weir collect names it: end it (pg_terminate_backend, ROLLBACK PREPARED)"));
    }
  }

  private static String counts(Exposition page, String metric) {
    Map<String, Double> byReason = page.of(metric);
    return Offsets.list(
        byReason.entrySet().stream().filter(each -> each.getValue() > 0).toList(),
        each -> String.format(Locale.ROOT, "%.0f %s", each.getValue(), each.getKey()));
  }
}
