package io.weir.cli;

import io.weir.text.TextFormat;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Forms of text as one types them: detect, csv, json-lines. */
public final class TextFormatConverter implements ITypeConverter<TextFormat> {
  @Override
  public TextFormat convert(String text) {
    for (TextFormat format : TextFormat.values()) {
      if (format.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(text)) {
        return format;
      }
    }
    throw new TypeConversionException(text + ": allowed is detect, csv or json-lines");
  }
}
