package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.internal.app.Keys;
import io.weir.internal.app.RegistryKeys;
import io.weir.internal.text.FileSample;
import io.weir.internal.text.LineReason;
import io.weir.internal.text.Pipes;
import io.weir.internal.text.Printable;
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
import java.io.PrintWriter;
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
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir sniff}: detects the format of a file, or of the records of a topic. */
@Command(
    name = "sniff",
    description =
        "Detect the format of a file or topic of readings and print the command that reads it.",
    footer = {
      "",
      "Reads the first thousand lines and detects encoding, delimiter, decimal sign, columns,",
      "times and qualities. Prints the command, its first ten readings, and the properties that",
      "it could not detect. Sends nothing. Exit status: 0, or 1 if it found no reading.",
      "",
      "With --topic it reads the newest records of each partition: frames, envelopes, keys,",
      "headers, times and values. It prints the weir import command, which it has tried on these",
      "records. With --registry it asks for the schemas that frames name.",
      "",
      "Examples:",
      "  weir sniff export.csv",
      "  weir sniff telemetry.json.gz",
      "  weir sniff --topic plant.raw -n 500"
    })
final class SniffCommand implements Callable<Integer>, ConfigOptions.Configured {
  private static final int SHOWN = 10;
  private static final int MAX_RECORDS = 10_000;

  private final ConfigOptions configOptions = new ConfigOptions(Keys.BOOTSTRAP_SERVERS);

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", arity = "0..1", description = "The file.")
  private Path file;

  @Option(
      names = "--topic",
      paramLabel = "NAME",
      description = "A topic that other programs write, in place of a file.")
  private String topic;

  @Option(
      names = "-n",
      paramLabel = "N",
      description = "Number of records of each partition, 1 to 10000 (200).")
  private int most = 200;

  @Option(
      names = "--registry",
      paramLabel = "URL",
      description = "Schema registry of the topic (weir.schema.registry.url).")
  private String registry;

  /** What a file was taken for, and its sample as the command reads it. */
  record Look(
      FileSample sample,
      Sniffed sniffed,
      List<Reading> readings,
      Map<LineReason, Long> bad,
      long skipped,
      Optional<String> failure) {}

  @Override
  public ConfigOptions configOptions() {
    return configOptions;
  }

  @Override
  public Integer call() throws IOException {
    if ((file == null) == (topic == null)) {
      throw new ParameterException(spec.commandLine(), "expected: either FILE or --topic NAME");
    }
    if (topic == null) {
      return sniffFile();
    }
    if (most < 1 || most > MAX_RECORDS) {
      throw new ParameterException(spec.commandLine(), "-n " + most + ": expected: 1 to 10000");
    }
    QuietKafka.unlessAsked();
    Map<String, String> made =
        registry == null ? Map.of() : Map.of(RegistryKeys.SCHEMA_REGISTRY_URL.name(), registry);
    List<String> connection = configOptions.words(Keys.BOOTSTRAP_SERVERS);
    return new TopicSniff(
            configOptions.load(made), topic, connection, Optional.ofNullable(registry))
        .run(most, Results.standard());
  }

  private int sniffFile() throws IOException {
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
      String command = look.sniffed().typed() + " " + Printable.shellWord(file.toString());
      out.line("command: " + called() + " replay" + command);
      out.line("     or: " + called() + " edge" + command);
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

  /** How this program is started, as a word of a shell. */
  static String called() {
    return Printable.shellWord(System.getProperty("weir.called", "weir"));
  }

  /** The form that a file is taken for, with what is not decided said. */
  static TextForm decided(Path file, PrintWriter err) throws IOException {
    Sniffed sniffed = look(file).sniffed();
    sniffed.undecided().forEach(line -> err.println(file + ": not decided: " + line));
    return form(sniffed);
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

  static String inWords(Reading reading) {
    return "%s  %s  %s  %s"
        .formatted(
            reading.sensorId(),
            Instant.ofEpochMilli(reading.timestampMs()),
            reading.value(),
            reading.quality());
  }
}
