package io.weir.cli.output;

import io.weir.internal.text.Printable;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Standard error, for a command's messages. Each text, and each text among the values of a format,
 * is printed on one line without control characters, see {@link Printable}.
 */
public final class Messages extends PrintWriter {
  public Messages(OutputStream out) {
    super(out, true);
  }

  @Override
  public void print(String text) {
    super.print(Printable.line(String.valueOf(text)));
  }

  @Override
  public void print(Object value) {
    print(String.valueOf(value));
  }

  @Override
  public void println(Object value) {
    println(String.valueOf(value));
  }

  @Override
  public PrintWriter format(Locale locale, String format, Object... values) {
    Object[] shown = new Object[values.length];
    for (int i = 0; i < values.length; i++) {
      shown[i] =
          values[i] instanceof CharSequence || values[i] instanceof Path
              ? Printable.line(values[i].toString())
              : values[i];
    }
    return super.format(locale, format, shown);
  }

  @Override
  public PrintWriter format(String format, Object... values) {
    return format(Locale.ROOT, format, values);
  }
}
