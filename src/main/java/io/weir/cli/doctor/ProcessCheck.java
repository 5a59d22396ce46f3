package io.weir.cli.doctor;

import io.weir.cli.pages.Exposition;
import io.weir.internal.app.Dependency;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Finds processes that do not answer, and low memory, dead threads and late readings of the others.
 */
final class ProcessCheck implements Check {
  private static final double FULL = 0.8;
  private static final double MUCH_LATE = 0.01;
  private static final double WAIT_SECONDS = 10;

  /** With this many readings between two samples, the share of late ones is meaningful. */
  private static final double ENOUGH = 1_000;

  @Override
  public String name() {
    return "processes";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    List<Finding> findings = new ArrayList<>();
    cluster
        .pages()
        .silent()
        .forEach(
            (process, failure) ->
                findings.add(
                    broken(
                        process + " does not answer: " + failure,
                        "it is frozen, has ended, or is starting: its partitions make no progress",
                        "check the process and its log; weir evict INSTANCE reassigns its partitions,"
                            + " kill -9 ends a frozen process")));
    for (var process : cluster.metrics().entrySet()) {
      Exposition page = process.getValue();
      heap(process.getKey(), page, findings);
      List<Dependency> awaited = awaited(page);
      for (Dependency dependency : awaited) {
        findings.add(
            broken(
                process.getKey() + " waits for " + dependency.text(),
                "its records wait; none is lost within the retention of their topic",
                "restore "
                    + dependency.text()
                    + "; its /readyz has the error. A restart does not help"));
      }
      if (awaited.isEmpty() && page.has("weir_ready") && page.sum("weir_ready") == 0) {
        findings.add(
            risk(
                process.getKey() + " is not ready",
                "it restores state, rebalances, or waits for Kafka; its partitions make no progress",
                "see its /readyz for the reason"));
      }
      CounterDelta died =
          CounterDelta.of(cluster.pages(), process.getKey(), "weir_threads_died_total");
      if (died.total() > 0) {
        findings.add(
            counted(
                died,
                String.format(
                    Locale.ROOT,
                    "%s: %.0f threads died, %s",
                    process.getKey(),
                    died.total(),
                    died.when()),
                "each was replaced; if too many die, the process ends",
                "see its log for the cause"));
      }
    }
    late(cluster.pages(), findings);
    return findings;
  }

  /** What a process has waited for, longer than an ordinary pause. */
  static List<Dependency> awaited(Exposition page) {
    return Stream.of(Dependency.values())
        .filter(
            dependency ->
                page.sum(
                        "weir_waiting_seconds",
                        labels ->
                            labels.contains(
                                "for=\"" + dependency.name().toLowerCase(Locale.ROOT) + "\""))
                    > WAIT_SECONDS)
        .toList();
  }

  /** Between the samples if they have enough readings; otherwise since the start. */
  private void late(Pages pages, List<Finding> findings) {
    String readings = "weir_readings_total";
    CounterDelta late =
        CounterDelta.of(pages, readings, labels -> labels.contains("outcome=\"late\""));
    CounterDelta all = CounterDelta.of(pages, readings);
    boolean isEnough = all.grown() >= ENOUGH;
    if (isEnough && late.grown() > MUCH_LATE * all.grown()) {
      double share = late.grown() / all.grown();
      findings.add(late(Severity.RISK, share, "during this check"));
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
        "no window contains them; the readings of a sensor arrive out of order",
        "raise weir.window.grace or weir.allowed.lateness; weir tail late shows the gateways");
  }

  private void heap(String process, Exposition page, List<Finding> findings) {
    double most = page.sum("jvm_gc_max_data_size_bytes");
    double live = page.sum("jvm_gc_live_data_size_bytes");
    if (most > 0 && live / most > FULL) {
      findings.add(
          risk(
              String.format(
                  Locale.ROOT,
                  "%s: %.0f %% of the heap is in use after a garbage collection",
                  process,
                  100 * live / most),
              "after the loss of a pod the state does not fit: the process ends",
              "more memory or more pods (weir plan --live calculates them); less allowed lateness"));
    }
  }
}
