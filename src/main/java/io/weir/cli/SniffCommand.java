package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.reading.Limits;
import io.weir.reading.Reading;
import io.weir.text.FileSample;
import io.weir.text.LineReason;
import io.weir.text.Pipes;
import io.weir.text.Printable;
import io.weir.text.ReadingTextReader;
import io.weir.text.TextInputException;
import io.weir.text.TextLine;
import io.weir.text.sniff.Sniffed;
import io.weir.text.sniff.Sniffer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir sniff}: detects the format of a file. */
@Command(
    name = "sniff",
    description = "Detect the format of a file of readings and print the command that reads it.",
    footer = {
      "",
      "Reads the first thousand lines and detects encoding, delimiter, decimal sign, columns,",
      "times and qualities. Prints the command, its first ten readings, and the properties that",
      "it could not detect. Sends nothing. Exit status: 0, or 1 if it found no reading.",
      "",
      "Examples:",
      "  weir sniff export.csv",
      "  weir sniff telemetry.json.gz"
    })
final class SniffCommand implements Callable<Integer> {
  private static final int SHOWN = 10;
  private static final int SAMPLED = 1_000;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The file.")
  private Path file;

  @Override
  public Integer call() throws IOException {
    FileSample sample = FileSample.of(file);
    Sniffed sniffed = Sniffer.look(sample);
    Results out = Results.standard();
    out.line(
        String.format(
            Locale.ROOT,
            "%s: %,d lines read%s",
            file,
            sample.lines().size(),
            sample.whole() ? ", the whole file" : ""));
    sniffed.says().forEach(line -> out.line("  " + line));
    boolean reads = show(sniffed, out);
    out.flush();
    return reads ? 0 : Failures.FAILED;
  }

  private boolean show(Sniffed sniffed, Results out) throws IOException {
    List<Reading> readings = new ArrayList<>();
    Map<LineReason, Long> bad = new EnumMap<>(LineReason.class);
    String failure = null;
    try (ReadingTextReader reader =
        ReadingTextReader.open(
            List.of(file.toString()),
            Pipes.of(InputStream.nullInputStream()),
            Sniffer.form(sniffed),
            Limits.DEFAULT)) {
      TextLine line = reader.next();
      for (int i = 0; line != null && i < SAMPLED; i++) {
        if (line instanceof TextLine.Good good) {
          readings.add(good.reading());
        }
        line = reader.next();
      }
      bad.putAll(reader.badByReason());
    } catch (TextInputException | IllegalArgumentException e) {
      failure = e.getMessage();
    }
    if (readings.isEmpty()) {
      sniffed.undecided().forEach(line -> out.line("not decided: " + line));
      printBad(bad, out);
      out.line("no reading was found" + (failure == null ? "" : ": " + failure));
      out.line("to set the options by hand, see docs/files.md and weir replay --help");
      return false;
    }
    String command = sniffed.typed() + " " + Printable.shellWord(file.toString());
    out.line("command: weir replay" + command);
    out.line("     or: weir edge" + command);
    out.line("readings:");
    readings.stream().limit(SHOWN).forEach(reading -> out.line("  " + inWords(reading)));
    printBad(bad, out);
    sniffed.undecided().forEach(line -> out.line("not decided: " + line));
    return true;
  }

  private static void printBad(Map<LineReason, Long> bad, Results out) {
    bad.forEach(
        (reason, count) ->
            out.line(String.format(Locale.ROOT, "bad lines: %s %,d", reason, count)));
  }

  private static String inWords(Reading reading) {
    return "%s  %s  %s  %s"
        .formatted(
            reading.sensorId(),
            Instant.ofEpochMilli(reading.timestampMs()),
            reading.value(),
            reading.quality());
  }
}
