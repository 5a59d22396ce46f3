package io.weir.cli;

import io.weir.internal.text.TextFormat;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts names of text formats: auto, csv, json, line, nem12; two have a longer name too. */
final class TextFormatConverter implements ITypeConverter<TextFormat> {
  private static final Map<String, TextFormat> NAMES =
      Map.of(
          "auto", TextFormat.DETECT,
          "detect", TextFormat.DETECT,
          "csv", TextFormat.CSV,
          "json", TextFormat.JSON_LINES,
          "json-lines", TextFormat.JSON_LINES,
          "json-array", TextFormat.JSON_ARRAY,
          "line", TextFormat.LINE_PROTOCOL,
          "nem12", TextFormat.NEM12);

  @Override
  public TextFormat convert(String text) {
    TextFormat format = NAMES.get(text);
    if (format == null) {
      throw new TypeConversionException(
          text + ": expected: auto, csv, json, json-array, line or nem12");
    }
    return format;
  }
}
