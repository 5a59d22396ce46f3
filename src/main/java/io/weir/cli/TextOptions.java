package io.weir.cli;

import io.weir.text.SensorIdTemplate;
import io.weir.text.TextForm;
import io.weir.text.TextFormat;
import io.weir.text.TimestampUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The options that say how readings are written. */
public final class TextOptions {
  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "auto, csv, json or line, which is InfluxDB's line protocol (auto).",
      converter = TextFormatConverter.class)
  private TextFormat format = TextFormat.DETECT;

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
          "Sensor id of a field in line protocol, from {series}, {measurement}, {field} and"
              + " {tag:NAME} ({series} {field}).",
      converter = TemplateConverter.class)
  private SensorIdTemplate sensorIds = SensorIdTemplate.DEFAULT;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /**
   * How readings are written.
   *
   * @throws ParameterException if an option is only for another format than the one named
   */
  public TextForm form() {
    boolean ofLines = unit != TimestampUnit.NANOSECONDS || sensorIds != SensorIdTemplate.DEFAULT;
    if (ofLines && (format == TextFormat.CSV || format == TextFormat.JSON_LINES)) {
      throw new ParameterException(
          command.commandLine(),
          "--precision and --sensor-id are for line protocol: take --format line or auto");
    }
    return new TextForm(format, unit, sensorIds);
  }

  private static final class UnitConverter implements ITypeConverter<TimestampUnit> {
    @Override
    public TimestampUnit convert(String text) {
      return Stream.of(TimestampUnit.values())
          .filter(unit -> unit.symbol().equals(text))
          .findFirst()
          .orElseThrow(() -> new TypeConversionException(text + ": allowed is " + symbols()));
    }

    private static String symbols() {
      return Stream.of(TimestampUnit.values())
          .map(TimestampUnit::symbol)
          .collect(Collectors.joining(", "));
    }
  }

  private static final class TemplateConverter implements ITypeConverter<SensorIdTemplate> {
    @Override
    public SensorIdTemplate convert(String text) {
      try {
        return SensorIdTemplate.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
