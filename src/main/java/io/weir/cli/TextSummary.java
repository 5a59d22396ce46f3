package io.weir.cli;

import io.weir.internal.text.LineReason;
import io.weir.internal.text.Pipes;
import io.weir.internal.text.Printable;
import io.weir.internal.text.ReadingTextReader;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints the counts of the lines that were read. */
public final class TextSummary {
  private TextSummary() {}

  /** Prints a line for each reason of bad lines, and one for cells without a value. */
  public static void print(ReadingTextReader reader, PrintWriter err) {
    reader
        .badByReason()
        .forEach((reason, count) -> err.printf(Locale.ROOT, "  %s %,d%n", reason, count));
    if (reader.withoutValue() > 0) {
      err.printf(Locale.ROOT, "  %,d cells without a value%n", reader.withoutValue());
    }
    if (reader.passedOver() > 0) {
      err.printf(Locale.ROOT, "  %,d texts beside numbers, skipped%n", reader.passedOver());
    }
    reader.remedy().ifPresent(remedy -> err.println("  " + remedy));
    err.flush();
  }

  /** The message for a file without a valid reading, with a remedy. */
  public static String nothingGood(ReadingTextReader reader, List<String> files) {
    String reasons =
        reader.badByReason().entrySet().stream()
            .sorted(Map.Entry.<LineReason, Long>comparingByValue().reversed())
            .map(entry -> String.format(Locale.ROOT, "%s %,d", entry.getKey(), entry.getValue()))
            .collect(Collectors.joining(", "));
    if (reader.bad() == 0) {
      return String.format(
          Locale.ROOT,
          "no reading in %s: %,d lines, with a header at most, and %,d cells without a value%s",
          String.join(", ", files),
          reader.linesRead(),
          reader.withoutValue(),
          suggestion(files.get(0)));
    }
    return String.format(
        Locale.ROOT,
        "none of %,d lines is a reading (%s)%s",
        reader.bad(),
        reasons,
        reader.remedy().map(remedy -> "; " + remedy).orElseGet(() -> suggestion(files.get(0))));
  }

  /** The remedy: weir sniff. */
  static String suggestion(String file) {
    if (Pipes.STANDARD_INPUT.equals(file)) {
      return "; save some lines to a file and run: weir sniff FILE";
    }
    return "; to detect its format, run: weir sniff " + Printable.shellWord(file);
  }
}
