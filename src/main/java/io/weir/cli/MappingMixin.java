package io.weir.cli;

import io.weir.internal.text.TextFormat;
import io.weir.internal.text.mapping.Mapping;
import io.weir.internal.text.mapping.MappingFile;
import io.weir.internal.text.mapping.MappingOptions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The options that map a file in another format to readings. Each may be in the file of {@code
 * --mapping} too; options on the command line override it. The fields are read by their options'
 * names.
 */
public final class MappingMixin {
  private static final String FORMAT = "format";

  /** Its field is in {@link TextOptions}: it is valid without a mapping too. */
  private static final String SENSOR_ID = "sensor-id";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--mapping",
      paramLabel = "FILE",
      description = "YAML file with any of the options from here on, by their names.")
  private Path file;

  @Option(
      names = "--columns",
      paramLabel = "PART=COLUMN,...",
      description =
          "Columns of sensor_id, timestamp, value, quality, by name or number; timestamp"
              + " may be Date+Time.")
  private String columns;

  @Option(
      names = "--wide",
      description = "The first column is the time, every other column a sensor.")
  private Boolean wide;

  @Option(
      names = "--delimiter",
      paramLabel = "CHAR",
      description = "Separator of columns: a character, tab or whitespace (,).")
  private String delimiter;

  @Option(names = "--no-header", description = "The first line is a reading; columns are numbers.")
  private Boolean noHeader;

  @Option(
      names = "--skip-lines",
      paramLabel = "N",
      description = "Number of lines to skip before the header (0).")
  private String skipLines;

  @Option(
      names = "--encoding",
      paramLabel = "NAME",
      description = "Encoding of the file, such as windows-1252 or UTF-16 (UTF-8).")
  private String encoding;

  @Option(names = "--decimal-comma", description = "Numbers have a decimal comma: 21,5.")
  private Boolean decimalComma;

  @Option(
      names = "--group-separator",
      paramLabel = "CHAR",
      description = "Separator of groups of three digits: one of . , ' _ or space (none).")
  private String groupSeparator;

  @Option(
      names = "--missing",
      paramLabel = "TEXT,...",
      description = "Text that means no value, such as NaN,n/a (in wide files: nothing).")
  private String missing;

  @Option(
      names = "--value-map",
      paramLabel = "TEXT=NUMBER,...",
      description = "Numbers for texts, such as on=1,off=0 (none).")
  private String valueMap;

  @Option(
      names = "--units",
      paramLabel = "UNIT,...",
      description = "Units that follow numbers in their cells, such as %%,W,kW=1000 (none).")
  private String units;

  @Option(
      names = "--time-format",
      paramLabel = "FORMAT",
      description =
          "iso, epoch-s, epoch-ms, epoch-us, epoch-ns, excel or a pattern such as"
              + " 'dd.MM.yyyy HH:mm:ss' (epoch-ms).")
  private String timeFormat;

  @Option(
      names = "--time-zone",
      paramLabel = "ZONE",
      description = "Zone of times without a zone, such as Europe/Berlin (UTC).")
  private String timeZone;

  @Option(
      names = "--ambiguous",
      paramLabel = "WHICH",
      description =
          "Meaning of a local time that occurs twice: earlier, later, or order, by the order of"
              + " each sensor's lines (default: a bad line).")
  private String ambiguous;

  @Option(
      names = "--time-shift",
      paramLabel = "SPAN",
      description = "Added to each time, such as -15m for times that end an interval (0s).")
  private String timeShift;

  @Option(
      names = "--time-locale",
      paramLabel = "LANGUAGE",
      description = "Language of the names of months and days in a pattern (en).")
  private String timeLocale;

  @Option(
      names = "--quality-map",
      paramLabel = "MAP",
      description = "opc, opc-ua, words or OK=good,FAIL=bad,*=uncertain, also together.")
  private String qualityMap;

  @Option(
      names = "--json-sensor-id",
      paramLabel = "PATH",
      description = "Path of the sensor id in a JSON object ($.sensor_id).")
  private String jsonSensorId;

  @Option(
      names = "--json-timestamp",
      paramLabel = "PATH",
      description = "Path of the time ($.timestamp_ms).")
  private String jsonTimestamp;

  @Option(
      names = "--json-value",
      paramLabel = "PATH",
      description = "Path of the value ($.value); $.list[*].v or $.values.* for several values.")
  private String jsonValue;

  @Option(
      names = "--json-quality",
      paramLabel = "PATH",
      description = "Path of the quality ($.quality).")
  private String jsonQuality;

  /** The names in --columns, if they are columns of the output. */
  Optional<String> outColumns() {
    return Optional.ofNullable(columns).filter(this::areForOutput);
  }

  /** Names without parts select columns of windows, if the command writes windows. */
  private boolean areForOutput(String names) {
    return names.indexOf('=') < 0 && command.findOption("--out-columns") != null;
  }

  /** The options on the command line, by the names that the file uses. */
  private Map<String, String> given() {
    Map<String, String> given = new LinkedHashMap<>();
    for (String name : MappingOptions.NAMES) {
      Object value = name.equals(SENSOR_ID) ? null : command.findOption("--" + name).getValue();
      if (value != null) {
        given.put(name, value.toString());
      }
    }
    outColumns().ifPresent(names -> given.remove("columns"));
    return given;
  }

  /** File and options by the names of the options; may hold {@code format}. */
  Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    if (file != null) {
      options.putAll(MappingFile.read(file));
    }
    options.putAll(given());
    return options;
  }

  /** The result of file and options. */
  record Wanted(Optional<Mapping> mapping, Optional<TextFormat> format) {}

  /**
   * Combines file and options.
   *
   * @param sensorId the value of --sensor-id, if given
   * @throws ParameterException in one line, if an option is invalid
   */
  Wanted wanted(Optional<String> sensorId) {
    try {
      Map<String, String> options = options();
      String format = options.remove(FORMAT);
      if (options.isEmpty()) {
        return new Wanted(Optional.empty(), format(format));
      }
      sensorId.ifPresent(text -> options.put(SENSOR_ID, text));
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
