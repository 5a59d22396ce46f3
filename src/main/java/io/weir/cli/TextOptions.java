package io.weir.cli;

import io.weir.internal.text.SensorIdTemplate;
import io.weir.internal.text.TextForm;
import io.weir.internal.text.TextFormat;
import io.weir.internal.text.TimestampUnit;
import io.weir.internal.text.mapping.IdTemplate;
import io.weir.internal.text.mapping.MappingOptions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The options for the text format of readings. */
public final class TextOptions {
  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "auto, csv, json, json-array, nem12 or line, which is InfluxDB's line protocol (auto).",
      converter = TextFormatConverter.class)
  private TextFormat typedFormat;

  @Option(
      names = "--precision",
      paramLabel = "UNIT",
      description = "Unit of the timestamps in line protocol: ns, us, ms or s (ns).",
      converter = UnitConverter.class)
  private TimestampUnit unit = TimestampUnit.NANOSECONDS;

  @Option(
      names = "--sensor-id",
      paramLabel = "TEMPLATE",
      description =
          "Sensor id: in line protocol from {series}, {measurement}, {field} and"
              + " {tag:NAME} ({series} {field}), otherwise from {file}, {column}, {column:NAME} and"
              + " {path:$.a}.")
  private String sensorId;

  @Mixin private MappingMixin mappingOptions;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /**
   * The text format of the readings.
   *
   * @throws ParameterException if an option does not apply to the format
   */
  public TextForm form() {
    MappingMixin.Wanted wanted = mappingOptions.wanted(Optional.ofNullable(sensorId));
    TextFormat format =
        typedFormat != null ? typedFormat : wanted.format().orElse(TextFormat.DETECT);
    boolean plainForm = format == TextFormat.DETECT || format == TextFormat.LINE_PROTOCOL;
    if (unit != TimestampUnit.NANOSECONDS && (!plainForm || wanted.mapping().isPresent())) {
      throw wrong("--precision is only for line protocol; use --time-format for other formats");
    }
    if (wanted.mapping().isPresent()) {
      if (format == TextFormat.LINE_PROTOCOL) {
        throw wrong("line protocol needs no mapping: expected: only --precision and --sensor-id");
      }
      requireNoneForNem12(format);
      return TextForm.of(format, wanted.mapping().get());
    }
    if (sensorId != null) {
      requireNoneForNem12(format);
    }
    return sensorId != null && (!plainForm || isOnlyForMappings())
        ? TextForm.of(format, MappingOptions.parse(Map.of("sensor-id", sensorId)))
        : new TextForm(format, unit, template());
  }

  private void requireNoneForNem12(TextFormat format) {
    if (format == TextFormat.NEM12) {
      throw wrong("NEM12 has its ids, times and qualities itself: expected: no other option");
    }
  }

  /**
   * The text format of the readings, if an option names one.
   *
   * @throws ParameterException if an option does not apply to the format
   */
  public Optional<TextForm> given() {
    Set<String> names = CommandSpec.forAnnotatedObject(new Alone()).optionsMap().keySet();
    return command.commandLine().getParseResult().matchedOptions().stream()
            .anyMatch(option -> names.contains(option.longestName()))
        ? Optional.of(form())
        : Optional.empty();
  }

  @Command
  private static final class Alone {
    @Mixin private TextOptions text;
  }

  /** Columns of the output, if --columns has no mapping. */
  public Optional<String> outColumns() {
    return mappingOptions.outColumns();
  }

  private boolean isOnlyForMappings() {
    try {
      SensorIdTemplate.parse(sensorId);
      return false;
    } catch (IllegalArgumentException notOfLines) {
      try {
        IdTemplate.parse(sensorId);
        return true;
      } catch (IllegalArgumentException ofNeither) {
        throw wrong(
            "--sensor-id "
                + notOfLines.getMessage()
                + "; for other formats than line protocol: {file}, {column}, {column:NAME} and"
                + " {path:$.a}");
      }
    }
  }

  private SensorIdTemplate template() {
    return sensorId == null ? SensorIdTemplate.DEFAULT : SensorIdTemplate.parse(sensorId);
  }

  private ParameterException wrong(String why) {
    return new ParameterException(command.commandLine(), why);
  }

  private static final class UnitConverter implements ITypeConverter<TimestampUnit> {
    @Override
    public TimestampUnit convert(String text) {
      return Stream.of(TimestampUnit.values())
          .filter(unit -> unit.symbol().equals(text))
          .findFirst()
          .orElseThrow(() -> new TypeConversionException(text + ": expected: " + symbols()));
    }

    private static String symbols() {
      return Stream.of(TimestampUnit.values())
          .map(TimestampUnit::symbol)
          .collect(Collectors.joining(", "));
    }
  }
}
