package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.List;

/**
 * Any bytes as a file of readings: each line that is not empty gives one outcome, numbered as an
 * editor numbers it, and how the bytes come in pieces changes nothing. A file that cannot be read
 * breaks off with one line that says why.
 */
public final class ReadingTextFuzz {
  private static final int MAX_LINE_BYTES = 100;

  private ReadingTextFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    for (TextFormat format : TextFormat.values()) {
      List<String> whole = outcomes(new ByteArrayInputStream(bytes), format);
      List<String> inPieces = outcomes(inPieces(bytes), format);
      // Where compressed data are damaged, what was unpacked last is given out or not.
      boolean bothBreakOff = isGzip(bytes) && breaksOff(whole) && breaksOff(inPieces);
      if (!bothBreakOff) {
        assertThat(inPieces).isEqualTo(whole);
      }
    }
    checkLines(TextLines.join(TextLines.HEADER.getBytes(ISO_8859_1), bytes));
  }

  private static boolean isGzip(byte[] bytes) {
    return bytes.length > 1 && bytes[0] == 0x1f && bytes[1] == (byte) 0x8b;
  }

  private static boolean breaksOff(List<String> outcomes) {
    return outcomes.size() == 1 && outcomes.get(0).startsWith("-: ");
  }

  private static void checkLines(byte[] text) {
    String[] physical = new String(text, ISO_8859_1).split("\n", -1);
    long before = 1;
    for (TextLine line : csv(text)) {
      assertThat(line.lineNo()).isGreaterThan(before).isLessThanOrEqualTo(physical.length);
      for (long skipped = before + 1; skipped < line.lineNo(); skipped++) {
        assertThat(physical[(int) skipped - 1]).isIn("", "\r");
      }
      if (line instanceof TextLine.Bad bad) {
        assertThat(physical[(int) line.lineNo() - 1])
            .startsWith(new String(bad.line(), ISO_8859_1));
      }
      before = line.lineNo();
    }
  }

  private static List<TextLine> csv(byte[] text) {
    try {
      return TextLines.of(new ByteArrayInputStream(text), TextFormat.CSV, MAX_LINE_BYTES);
    } catch (TextInputException e) {
      throw new AssertionError("a file with its header breaks off", e);
    }
  }

  private static List<String> outcomes(InputStream in, TextFormat format) {
    try {
      return TextLines.inShort(TextLines.of(in, format, MAX_LINE_BYTES));
    } catch (TextInputException e) {
      assertThat(e.getMessage()).isNotBlank().doesNotContain("\n");
      return List.of(e.getMessage());
    }
  }

  /** A stream that hands over a byte or two, then more, as a slow pipe does. */
  private static InputStream inPieces(byte[] bytes) {
    return new InputStream() {
      private int at;

      @Override
      public int read() {
        return at < bytes.length ? bytes[at++] & 0xff : -1;
      }

      @Override
      public int read(byte[] into, int offset, int length) {
        int some = Math.min(Math.min(length, 1 + at % 5), bytes.length - at);
        if (length == 0 || some == 0) {
          return length == 0 ? 0 : -1;
        }
        System.arraycopy(bytes, at, into, offset, some);
        at += some;
        return some;
      }
    };
  }
}
