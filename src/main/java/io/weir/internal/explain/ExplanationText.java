package io.weir.internal.explain;

import io.weir.internal.deadletter.Origin;
import io.weir.internal.explain.Explanation.Emission;
import io.weir.internal.explain.Explanation.Row;
import io.weir.v1.WindowSummary;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An explanation as lines for people. Times are UTC. */
public final class ExplanationText {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final String FORM = "  %-8s  %-23s  %-16s  %-20s  %8s  %8s  %s";

  private ExplanationText() {}

  /** The lines; the last one is the verdict. */
  public static List<String> lines(Explanation of) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s  %s .. %s UTC  %s-%d"
            .formatted(
                of.sensorId(),
                DAY.format(Instant.ofEpochMilli(of.startMs())),
                TIME.format(Instant.ofEpochMilli(of.endMs())),
                of.topic(),
                of.partition()));
    lines.add(
        FORM.formatted("offset", "appended", "gateway", "boot", "sequence", "readings", "verdict"));
    for (Row row : of.rows()) {
      lines.add(
          FORM.formatted(
              row.offset(),
              DAY.format(Instant.ofEpochMilli(row.appendMs())),
              row.gatewayId().isEmpty() ? "-" : row.gatewayId(),
              row.bootId() == 0 ? "-" : Long.toUnsignedString(row.bootId()),
              row.sequence() == 0 ? "-" : Long.toUnsignedString(row.sequence()),
              row.count(),
              verdict(row)));
    }
    for (Emission emission : of.emissions()) {
      WindowSummary summary = emission.summary();
      lines.add(
          "  emitted %s  @%d  revision %d  %s  %s"
              .formatted(
                  DAY.format(Instant.ofEpochMilli(emission.appendMs())),
                  emission.offset(),
                  summary.getRevision(),
                  summary.getCloseReason().name().replace("CLOSE_REASON_", ""),
                  numbers(summary)));
    }
    lines.add("  recomputed: " + numbers(of.recomputed()));
    of.notes().forEach(note -> lines.add("  " + note));
    lines.add(of.verdict().text() + (of.detail().isEmpty() ? "" : ": " + of.detail()));
    return lines;
  }

  private static String numbers(WindowSummary summary) {
    String bad = summary.getBadCount() == 0 ? "" : ", bad " + summary.getBadCount();
    return summary.getCount() == 0
        ? "count 0" + bad
        : "count %d, sum %s, min %s, max %s%s"
            .formatted(
                summary.getCount(), summary.getSum(), summary.getMin(), summary.getMax(), bad);
  }

  /** What became of readings, in words. */
  static String verdict(Row row) {
    String at = row.at().map(ExplanationText::place).orElse("");
    String text =
        switch (row.fate()) {
          case COUNTED -> "counted";
          case PENDING -> "counted after the last emission";
          case DUPLICATE -> "duplicate of " + row.at().map(Origin::offset).orElse(-1L);
          case LATE ->
              (row.lateByMs() > 0
                      ? String.format(Locale.ROOT, "late by %.3f s", row.lateByMs() / 1_000.0)
                      : "late")
                  + " ("
                  + at
                  + ")";
          case WITHHELD -> "withheld (" + at + ")";
          case REFUSED -> row.reason() + (at.isEmpty() ? "" : " (" + at + ")");
          case UNREAD -> "not read yet";
        };
    String source = row.source().isEmpty() ? "" : ", from " + row.source();
    String redrive = row.redriveOf().map(letter -> ", redrive of " + place(letter)).orElse("");
    return text + source + redrive;
  }

  private static String place(Origin at) {
    return at.topic() + "-" + at.partition() + "@" + at.offset();
  }
}
