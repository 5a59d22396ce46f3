package io.weir.lab.chaos;

import io.weir.lab.oracle.Findings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the oracle found of the tables of {@code weir sink} and of the outbox of {@code weir
 * collect}.
 *
 * @param findings what is not as it must be
 * @param rows of each table
 * @param outbox what there was of the outbox
 * @param unsettled what was waited for in vain
 */
public record PostgresVerdict(
    Findings findings, Map<String, Long> rows, OutboxCounts outbox, List<String> unsettled) {

  /**
   * What there was of the outbox.
   *
   * @param committed rows
   * @param rejected those of them that are no reading
   * @param expired those of them that expired before they were sent
   * @param records that were sent
   * @param repeats those of them that had been sent before
   */
  public record OutboxCounts(
      long committed, long rejected, long expired, long records, long repeats) {}

  /** Whether all is as it must be. */
  public boolean isExact() {
    return findings.areNone() && unsettled.isEmpty();
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    rows.forEach((table, count) -> lines.add(line("table %s: %,d rows", table, count)));
    lines.add(
        line(
            "outbox: %,d rows committed, %,d of them rejects, %,d expired; %,d records sent, %,d of them repeats",
            outbox.committed(),
            outbox.rejected(),
            outbox.expired(),
            outbox.records(),
            outbox.repeats()));
    lines.addAll(findings.lines());
    unsettled.forEach(what -> lines.add("not settled: " + what));
    lines.add(
        line(
            "tables and outbox: lost %d, doubled %d, wrong %d: %s",
            findings.lost(),
            findings.doubled(),
            findings.wrongWindows() + findings.wrongRecords(),
            isExact() ? "exact" : "NOT EXACT"));
    return lines;
  }

  private static String line(String format, Object... what) {
    return String.format(Locale.ROOT, format, what);
  }
}
