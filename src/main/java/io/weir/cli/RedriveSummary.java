package io.weir.cli;

import io.weir.internal.redrive.RedriveReport;
import io.weir.internal.redrive.ResendOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The result of a redrive as text. */
record RedriveSummary(RedriveReport report) {

  /** The closing count; its terms add up. */
  String line(RedriveKind kind, boolean dryRun) {
    return String.format(
        Locale.ROOT,
        "matching %d records = "
            + (dryRun ? "to send" : "sent")
            + " %d + sent before %d + returned %d + skipped %d;"
            + " %d %s in %d batches",
        report.fitting(),
        report.records(ResendOutcome.SENT),
        report.records(ResendOutcome.SENT_BEFORE),
        report.records(ResendOutcome.CAME_BACK),
        report.left(),
        report.readings(),
        kind == RedriveKind.EVENTS ? "events" : "readings",
        report.batches());
  }

  /** Reasons of skipped records, and notes on the sent ones. */
  List<String> remarks(RedriveKind kind) {
    List<String> remarks = new ArrayList<>();
    for (ResendOutcome outcome : ResendOutcome.values()) {
      if (outcome != ResendOutcome.SENT && report.records(outcome) > 0) {
        remarks.add(number(report.records(outcome)) + " records: " + outcome.meaning());
      }
    }
    if (report.leftReadings() > 0) {
      remarks.add(
          number(report.leftReadings())
              + " readings of sent records would be refused again, and were not sent");
    }
    if (report.publishedReadings() > 0) {
      remarks.add(
          number(report.publishedReadings())
              + " withheld readings were not sent, because their windows were published before a"
              + " reset of the application");
    }
    if (kind == RedriveKind.LATE && report.records(ResendOutcome.SENT) > 0) {
      remarks.add(
          "late readings are late again: only a reset with a longer weir.allowed.lateness counts them");
    }
    return remarks;
  }

  private static String number(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
