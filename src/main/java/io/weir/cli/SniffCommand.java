package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.internal.text.FileSample;
import io.weir.internal.text.LineReason;
import io.weir.internal.text.Pipes;
import io.weir.internal.text.ReadingTextReader;
import io.weir.internal.text.TextForm;
import io.weir.internal.text.TextInputException;
import io.weir.internal.text.TextLine;
import io.weir.internal.text.sniff.Plausibility;
import io.weir.internal.text.sniff.Sniffed;
import io.weir.internal.text.sniff.Sniffer;
import io.weir.reading.Limits;
import io.weir.reading.Reading;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
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

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The file.")
  private Path file;

  /** What a file was taken for, and its sample as the command reads it. */
  record Look(
      FileSample sample,
      Sniffed sniffed,
      List<Reading> readings,
      Map<LineReason, Long> bad,
      long skipped,
      Optional<String> failure) {}

  @Override
  public Integer call() throws IOException {
    Look look = look(file);
    Results out = Results.standard();
    int lines = look.sample().lines().size();
    String whole = look.sample().whole() ? ", the whole file" : "";
    out.line(String.format(Locale.ROOT, "%s: %,d lines read%s", file, lines, whole));
    look.sniffed().says().forEach(line -> out.line("  " + line));
    show(look, out);
    out.flush();
    return look.readings().isEmpty() ? Failures.FAILED : 0;
  }

  /** Looks at a file, and reads its sample by the options that are printed. */
  static Look look(Path file) throws IOException {
    FileSample sample = FileSample.of(file);
    Sniffed sniffed = Sniffer.look(sample);
    List<Reading> readings = new ArrayList<>();
    Map<LineReason, Long> bad = new EnumMap<>(LineReason.class);
    long skipped = 0;
    Optional<String> failure = Optional.empty();
    try (ReadingTextReader reader =
        ReadingTextReader.open(
            List.of(file.toString()),
            Pipes.of(InputStream.nullInputStream()),
            form(sniffed),
            Limits.DEFAULT)) {
      TextLine line = reader.next();
      while (line != null && reader.linesRead() <= sample.lines().size()) {
        if (line instanceof TextLine.Good good) {
          readings.add(good.reading());
        }
        line = reader.next();
      }
      bad.putAll(reader.badByReason());
      reader.remedy().ifPresent(sniffed::leaveOpen);
      skipped = reader.passedOver();
    } catch (TextInputException | ParameterException e) {
      failure = Optional.of(e.getMessage());
    }
    Plausibility.of(readings).forEach(sniffed::leaveOpen);
    return new Look(sample, sniffed, readings, bad, skipped, failure);
  }

  private void show(Look look, Results out) {
    List<Reading> readings = look.readings();
    if (!readings.isEmpty()) {
      String command = look.sniffed().typed() + " " + Sniffed.shellWord(file.toString());
      String weir = Sniffed.shellWord(System.getProperty("weir.called", "weir"));
      out.line("command: " + weir + " replay" + command);
      out.line("     or: " + weir + " edge" + command);
      out.line("readings:");
      readings.stream().limit(SHOWN).forEach(reading -> out.line("  " + inWords(reading)));
    }
    look.bad()
        .forEach(
            (reason, count) ->
                out.line(String.format(Locale.ROOT, "bad lines: %s %,d", reason, count)));
    if (look.skipped() > 0) {
      out.line(String.format(Locale.ROOT, "texts beside numbers, skipped: %,d", look.skipped()));
    }
    look.sniffed().undecided().forEach(line -> out.line("not decided: " + line));
    if (readings.isEmpty()) {
      out.line("no reading was found" + look.failure().map(why -> ": " + why).orElse(""));
      out.line("to set the options by hand, see docs/files.md and weir replay --help");
    }
  }

  /** The command's options as the real commands parse them. */
  static TextForm form(Sniffed sniffed) {
    Options form = new Options();
    new CommandLine(form).parseArgs(sniffed.arguments().toArray(String[]::new));
    return form.text.form();
  }

  @Command
  private static final class Options {
    @Mixin private TextOptions text;
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
