package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;

/** Writes fields as RFC 4180 has them. */
public final class CsvText {
  private CsvText() {}

  /** Writes the bytes in quotes, whatever they are. */
  public static void writeQuoted(OutputStream out, byte[] field) throws IOException {
    out.write('"');
    for (byte b : field) {
      if (b == '"') {
        out.write('"');
      }
      out.write(b);
    }
    out.write('"');
  }

  /** Writes the text, in quotes where it would be misread without. */
  static void write(OutputStream out, String field) throws IOException {
    boolean quoted = field.chars().anyMatch(c -> "\",\n\r".indexOf(c) >= 0);
    byte[] utf8 = field.getBytes(UTF_8);
    if (quoted) {
      writeQuoted(out, utf8);
    } else {
      out.write(utf8);
    }
  }
}
