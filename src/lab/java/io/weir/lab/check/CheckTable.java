package io.weir.lab.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The verdict as lines of text: a rule each, and whether all of them were kept. */
public final class CheckTable {
  private static final String ROW = "%-40s %-9s %11s %11s  %s";

  private CheckTable() {}

  /** The lines of a check so far. */
  public static List<String> of(GatewayCheck check) {
    List<String> lines = new ArrayList<>();
    lines.add(row("rule", "", "records", "failed", "first failed"));
    List<RuleResult> results = check.results();
    results.forEach(result -> lines.add(line(result)));
    long failed = results.stream().filter(result -> !result.isOk()).count();
    long notSeen = results.stream().filter(result -> !result.isSeen()).count();
    lines.add("");
    lines.add(verdict(check.records(), failed, notSeen));
    return lines;
  }

  private static String line(RuleResult result) {
    String title = result.rule().title();
    if (!result.isSeen()) {
      return row(title, "not seen", "", "", "");
    }
    return row(
        title,
        result.isOk() ? "ok" : "FAILED",
        grouped(result.records()),
        result.isOk() ? "" : grouped(result.offenders()),
        result.first().map(CheckTable::place).orElse(""));
  }

  private static String place(Offence offence) {
    return "partition "
        + offence.partition()
        + ", offset "
        + offence.offset()
        + ": "
        + offence.reason();
  }

  private static String verdict(long records, long failed, long notSeen) {
    if (records == 0) {
      return "FAILED: no record came";
    }
    String verdict = failed == 0 ? "ok: no rule failed" : "FAILED: " + rules(failed) + " failed";
    return verdict
        + " in "
        + grouped(records)
        + (records == 1 ? " record" : " records")
        + (notSeen == 0 ? "" : "; " + rules(notSeen) + " not seen");
  }

  private static String rules(long count) {
    return count + (count == 1 ? " rule" : " rules");
  }

  private static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String row(String... cells) {
    return String.format(Locale.ROOT, ROW, (Object[]) cells).stripTrailing();
  }
}
