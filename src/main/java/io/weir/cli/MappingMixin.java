package io.weir.cli;

import io.weir.text.TextFormat;
import io.weir.text.mapping.Mapping;
import io.weir.text.mapping.MappingFile;
import io.weir.text.mapping.MappingOptions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The options that say how a file in somebody else's form becomes readings. Each may stand in the
 * file of {@code --mapping} too; what is typed wins.
 */
public final class MappingMixin {
  private static final String FORMAT = "format";

  private final Map<String, String> given = new LinkedHashMap<>();
  private Path file;
  private String outColumns;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--mapping",
      paramLabel = "FILE",
      description = "YAML file with any of the options from here on, by their names.")
  void setFile(Path value) {
    file = value;
  }

  @Option(
      names = "--columns",
      paramLabel = "PART=COLUMN,...",
      description =
          "Which column is sensor_id, timestamp, value, quality, by name or number; timestamp"
              + " may be Date+Time.")
  void setColumns(String text) {
    if (text.indexOf('=') < 0 && command.findOption("--out-columns") != null) {
      outColumns = text; // Names alone can only be meant for the windows.
    } else {
      given.put("columns", text);
    }
  }

  @Option(
      names = "--wide",
      description = "The first column is the time, every other column a sensor.")
  void setWide(boolean value) {
    given.put("wide", Boolean.toString(value));
  }

  @Option(
      names = "--delimiter",
      paramLabel = "CHAR",
      description = "Between columns: a character, tab or whitespace (,).")
  void setDelimiter(String text) {
    given.put("delimiter", text);
  }

  @Option(names = "--no-header", description = "The first line is a reading; columns are numbers.")
  void setNoHeader(boolean value) {
    given.put("no-header", Boolean.toString(value));
  }

  @Option(
      names = "--skip-lines",
      paramLabel = "N",
      description = "Lines before the header to pass over (0).")
  void setSkipLines(String text) {
    given.put("skip-lines", text);
  }

  @Option(
      names = "--encoding",
      paramLabel = "NAME",
      description = "Encoding of the file, such as windows-1252 or UTF-16 (UTF-8).")
  void setEncoding(String text) {
    given.put("encoding", text);
  }

  @Option(names = "--decimal-comma", description = "Numbers are written 21,5.")
  void setDecimalComma(boolean value) {
    given.put("decimal-comma", Boolean.toString(value));
  }

  @Option(
      names = "--group-separator",
      paramLabel = "CHAR",
      description = "Between groups of three digits: one of . , ' _ or space (none).")
  void setGroupSeparator(String text) {
    given.put("group-separator", text);
  }

  @Option(
      names = "--missing",
      paramLabel = "TEXT,...",
      description = "What stands for no value, such as NaN,n/a (in wide files: nothing).")
  void setMissing(String text) {
    given.put("missing", text);
  }

  @Option(
      names = "--time-format",
      paramLabel = "FORMAT",
      description =
          "iso, epoch-s, epoch-ms, epoch-us, epoch-ns, excel or a pattern such as"
              + " 'dd.MM.yyyy HH:mm:ss' (epoch-ms).")
  void setTimeFormat(String text) {
    given.put("time-format", text);
  }

  @Option(
      names = "--time-zone",
      paramLabel = "ZONE",
      description = "Of times that name none, such as Europe/Berlin (UTC).")
  void setTimeZone(String text) {
    given.put("time-zone", text);
  }

  @Option(
      names = "--ambiguous",
      paramLabel = "WHICH",
      description = "A local time that was there twice is the earlier or the later (a bad line).")
  void setAmbiguous(String text) {
    given.put("ambiguous", text);
  }

  @Option(
      names = "--time-locale",
      paramLabel = "LANGUAGE",
      description = "Of the names of months and days in a pattern (en).")
  void setTimeLocale(String text) {
    given.put("time-locale", text);
  }

  @Option(
      names = "--quality-map",
      paramLabel = "MAP",
      description = "opc, opc-ua, words or OK=good,FAIL=bad,*=uncertain, also together.")
  void setQualityMap(String text) {
    given.put("quality-map", text);
  }

  @Option(
      names = "--json-sensor-id",
      paramLabel = "PATH",
      description = "Where a JSON object has the sensor id ($.sensor_id).")
  void setJsonSensorId(String text) {
    given.put("json-sensor-id", text);
  }

  @Option(
      names = "--json-timestamp",
      paramLabel = "PATH",
      description = "The time ($.timestamp_ms).")
  void setJsonTimestamp(String text) {
    given.put("json-timestamp", text);
  }

  @Option(
      names = "--json-value",
      paramLabel = "PATH",
      description = "The value ($.value); $.list[*].v or $.values.* for several.")
  void setJsonValue(String text) {
    given.put("json-value", text);
  }

  @Option(names = "--json-quality", paramLabel = "PATH", description = "The quality ($.quality).")
  void setJsonQuality(String text) {
    given.put("json-quality", text);
  }

  /** Names that were given as columns, of which none is told to be a part of a reading. */
  Optional<String> outColumns() {
    return Optional.ofNullable(outColumns);
  }

  /** What the file and the options say together. */
  record Wanted(Optional<Mapping> mapping, Optional<TextFormat> format) {}

  /**
   * What is wanted.
   *
   * @param sensorId as it was typed, if it was
   * @throws ParameterException in one line, where it cannot be
   */
  Wanted wanted(Optional<String> sensorId) {
    try {
      Map<String, String> options = new LinkedHashMap<>();
      if (file != null) {
        options.putAll(MappingFile.read(file));
      }
      options.putAll(given);
      String format = options.remove(FORMAT);
      if (options.isEmpty()) {
        return new Wanted(Optional.empty(), format(format));
      }
      sensorId.ifPresent(text -> options.put("sensor-id", text));
      return new Wanted(Optional.of(MappingOptions.parse(options)), format(format));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage());
    }
  }

  private static Optional<TextFormat> format(String text) {
    try {
      return text == null ? Optional.empty() : Optional.of(new TextFormatConverter().convert(text));
    } catch (picocli.CommandLine.TypeConversionException e) {
      throw new IllegalArgumentException("format: " + e.getMessage(), e);
    }
  }
}
