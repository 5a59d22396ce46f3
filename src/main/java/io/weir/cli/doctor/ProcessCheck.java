package io.weir.cli.doctor;

import io.weir.cli.pages.Exposition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Processes that do not answer, and problems that the others report: memory, dead threads, late
 * readings.
 */
final class ProcessCheck implements Check {
  private static final double FULL = 0.8;
  private static final double MUCH_LATE = 0.01;

  /** So many readings between two looks say how many of them are late. */
  private static final double ENOUGH = 1_000;

  @Override
  public String name() {
    return "processes";
  }

  @Override
  public List<Finding> look(Examination of) {
    List<Finding> findings = new ArrayList<>();
    of.pages()
        .silent()
        .forEach(
            (process, failure) ->
                findings.add(
                    broken(
                        process + " does not answer: " + failure,
                        "it is frozen, has ended, or is still starting: its partitions make no progress",
                        "look at the process and its log; weir evict INSTANCE gives its partitions"
                            + " to others, kill -9 ends one that is frozen")));
    for (var process : of.metrics().entrySet()) {
      Exposition page = process.getValue();
      heap(process.getKey(), page, findings);
      if (page.has("weir_ready") && page.sum("weir_ready") == 0) {
        findings.add(
            risk(
                process.getKey() + " is not ready",
                "it restores, rebalances, or waits for Kafka; meanwhile its partitions wait",
                "its /readyz says what it waits for"));
      }
      Counted died = Counted.of(of.pages(), process.getKey(), "weir_threads_died_total");
      if (died.total() > 0) {
        findings.add(
            counted(
                died,
                String.format(
                    Locale.ROOT,
                    "%s: %.0f threads died %s",
                    process.getKey(),
                    died.total(),
                    died.when()),
                "each was replaced; when too many die the process ends",
                "its log names the cause"));
      }
    }
    late(of.pages(), findings);
    return findings;
  }

  /** Of what came between the looks where that is enough to judge by; else since the start. */
  private void late(Pages pages, List<Finding> findings) {
    String readings = "weir_readings_total";
    Counted late = Counted.of(pages, readings, labels -> labels.contains("outcome=\"late\""));
    Counted all = Counted.of(pages, readings);
    boolean isEnough = all.grown() >= ENOUGH;
    if (isEnough && late.grown() > MUCH_LATE * all.grown()) {
      double share = late.grown() / all.grown();
      findings.add(late(Severity.RISK, share, "between the looks"));
    } else if (late.total() > MUCH_LATE * all.total()) {
      boolean isRecent = isEnough ? late.isOfLately() : late.isRecent();
      Severity severity = isRecent ? Severity.RISK : Severity.NOTE;
      findings.add(late(severity, late.total() / all.total(), all.since()));
    }
  }

  private Finding late(Severity severity, double share, String when) {
    return new Finding(
        severity,
        name(),
        String.format(Locale.ROOT, "%.1f %% of the readings %s were late", 100 * share, when),
        "they are in no window; order of a sensor's readings is violated before Weir",
        "longer weir.window.grace, or weir.allowed.lateness; weir tail late names gateways");
  }

  private void heap(String process, Exposition page, List<Finding> findings) {
    double most = page.sum("jvm_gc_max_data_size_bytes");
    double live = page.sum("jvm_gc_live_data_size_bytes");
    if (most > 0 && live / most > FULL) {
      findings.add(
          risk(
              String.format(
                  Locale.ROOT,
                  "%s: %.0f %% of the heap are in use after a collection",
                  process,
                  100 * live / most),
              "with one pod less, its state does not fit: the process ends",
              "more memory or more pods (weir plan --live says how many); less allowed lateness"));
    }
  }
}
