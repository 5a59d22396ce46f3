package io.weir.internal.text.sniff;

import io.weir.internal.text.FileSample;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Looks at the beginning of a file. Stateless. */
public final class Sniffer {
  private static final String POINT = "[^\\s,]\\S*( |\\\\ )\\S+=\\S.*";

  private Sniffer() {}

  /**
   * What the sample was taken for; without options where it is the plain form, or nothing known.
   */
  public static Sniffed look(FileSample sample) {
    Sniffed sniffed = begun(sample);
    List<String> lines = sample.lines();
    String first =
        lines.stream().map(String::strip).filter(line -> !line.isEmpty()).findFirst().orElse("");
    if (first.isEmpty()) {
      sniffed.leaveOpen("what it is: there is no line with anything in it");
    } else if (first.startsWith("<")) {
      sniffed.leaveOpen("what it is: XML or HTML, which is not read; save it as CSV or JSON");
    } else if (first.startsWith("100,NEM12")) {
      sniffed.option("format", "nem12");
      sniffed.say("NEM12: a line holds the intervals of a day, at UTC+10; sensors are NMI/suffix");
    } else if (first.startsWith("100,NEM13")) {
      sniffed.leaveOpen("NEM13: it holds accumulated meter readings, and is not read");
    } else if (first.startsWith("{") || first.startsWith("[")) {
      boolean json = new JsonGuess(sniffed).guess(lines);
      Sniffed table = begun(sample);
      if (!json
          && sniffed.says().contains(JsonGuess.BROKEN)
          && new CsvGuess(table, sample).guess()) {
        return table; // Its first name is in brackets.
      }
    } else if (first.matches("# (HELP|TYPE) .*")) {
      sniffed.leaveOpen(
          "what it is: Prometheus text, which is not read; take the answer of query_range");
    } else if (isLineProtocol(lines)) {
      sniffed.option("format", "line");
      sniffed.say("line protocol");
      if (!isTimed(lines, sniffed)) {
        sniffed.leaveOpen("the time: the lines have none, and then each of them is bad");
      }
    } else if (!new CsvGuess(sniffed, sample).guess()) {
      sniffed.leaveOpen("what it is: no table, no JSON, no line protocol");
    }
    return sniffed;
  }

  private static Sniffed begun(FileSample sample) {
    Sniffed sniffed = new Sniffed();
    if (!sample.charset().equals(StandardCharsets.UTF_8)) {
      sniffed.option("encoding", sample.charset().name());
      sniffed.say("encoding: " + sample.charset().name());
    }
    if (sample.isOfUnknownEncoding()) {
      sniffed.leaveOpen(
          "the encoding: it is not UTF-8, and letters are unusual for windows-1252; if names look"
              + " wrong, add for example --encoding Shift_JIS");
    }
    if (sample.lines().stream()
        .limit(1)
        .anyMatch(line -> line.startsWith("#datatype") || line.startsWith("#group"))) {
      sniffed.leaveOpen(
          "annotated CSV of InfluxDB: its tables and types are described in docs/files.md");
    }
    return sniffed;
  }

  static boolean isLineProtocol(List<String> lines) {
    List<String> points =
        lines.stream().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    long fitting = points.stream().filter(line -> line.matches(POINT)).count();
    return !points.isEmpty() && fitting >= 0.9 * points.size();
  }

  /** Sets the unit of the times in line protocol; false where the lines have none. */
  static boolean isTimed(List<String> lines, Sniffed sniffed) {
    int digits =
        lines.stream()
            .filter(line -> line.matches(".* \\d{9,19}\\s*"))
            .mapToInt(line -> line.strip().length() - line.strip().lastIndexOf(' ') - 1)
            .max()
            .orElse(0);
    String unit = digits == 0 || digits > 16 ? "ns" : digits > 13 ? "us" : digits > 10 ? "ms" : "s";
    if (!unit.equals("ns")) {
      sniffed.option("precision", unit);
    }
    return digits > 0;
  }
}
