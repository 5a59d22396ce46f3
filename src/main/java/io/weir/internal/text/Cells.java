package io.weir.internal.text;

import io.weir.internal.text.mapping.Mapping;
import io.weir.internal.text.mapping.NumberStyle;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The fields of a line under any delimiter: RFC 4180 on one physical line, and what spreadsheets
 * make of it: {@code ="0012"} is 0012, and blanks before a quote are passed over. Each is a slice
 * of the line or, unquoted, of a scratch array; valid until the next line. One thread.
 */
public final class Cells {
  private static final byte[] NOTHING = {};

  private final byte delimiter;
  private int count;
  private byte[][] bytes = new byte[16][];
  private int[] from = new int[16];
  private int[] to = new int[16];
  private byte[] scratch = NOTHING;
  private int scratchUsed;

  Cells(char delimiter) {
    this.delimiter = (byte) delimiter;
  }

  /** The cells of a line as texts, without blanks around them; none where quoting is broken. */
  public static List<String> texts(String line, char delimiter) {
    byte[] utf8 = line.getBytes(StandardCharsets.UTF_8);
    Cells cells = new Cells(delimiter);
    if (!cells.split(utf8, 0, utf8.length)) {
      return List.of();
    }
    return cells.names(true);
  }

  /** Takes a line apart; false where its quoting is broken. */
  boolean split(byte[] line, int start, int end) {
    count = 0;
    scratchUsed = 0;
    if (scratch.length < end - start) {
      scratch = new byte[Math.max(end - start, 2 * scratch.length)];
    }
    boolean whitespace = delimiter == Mapping.WHITESPACE;
    int stop = whitespace ? NumberStyle.skipBlanksBackwards(line, start, end) : end;
    int at = whitespace ? NumberStyle.skipBlanks(line, start, stop) : start;
    while (true) {
      int next = cell(line, at, stop);
      if (next < 0) {
        return false;
      }
      if (next >= stop) {
        return true;
      }
      at = whitespace ? NumberStyle.skipBlanks(line, next, stop) : next + 1;
    }
  }

  /** Adds the cell that begins there; the place behind it, or -1. */
  private int cell(byte[] line, int start, int end) {
    int quote = openingQuote(line, start, end);
    if (quote >= 0) {
      return quoted(line, quote, end);
    }
    int at = start;
    for (; at < end && !isDelimiter(line[at]); at++) {
      if (line[at] == '"') {
        return -1;
      }
    }
    add(line, start, at);
    return at;
  }

  private int openingQuote(byte[] line, int start, int end) {
    int at = start;
    while (at < end && line[at] == ' ' && !isDelimiter(line[at])) {
      at++;
    }
    if (at + 1 < end && line[at] == '=' && line[at + 1] == '"') {
      at++;
    }
    return at < end && line[at] == '"' ? at : -1;
  }

  private int quoted(byte[] line, int quote, int end) {
    int first = scratchUsed;
    int at = quote + 1;
    for (; at < end; at++) {
      if (line[at] == '"') {
        boolean doubled = at + 1 < end && line[at + 1] == '"';
        if (!doubled) {
          break;
        }
        at++;
      }
      scratch[scratchUsed++] = line[at];
    }
    int next = at + 1;
    while (next < end && line[next] == ' ' && !isDelimiter(line[next])) {
      next++;
    }
    boolean closed = at < end && (next >= end || isDelimiter(line[next]));
    if (!closed) {
      return -1;
    }
    addUnquoted(first, scratchUsed);
    return next;
  }

  /** A formula that is nothing but a text, quoted as a whole: {@code "=""0012"""}. */
  private void addUnquoted(int first, int last) {
    boolean formula =
        last - first >= 3
            && scratch[first] == '='
            && scratch[first + 1] == '"'
            && scratch[last - 1] == '"';
    add(scratch, formula ? first + 2 : first, formula ? last - 1 : last);
  }

  private boolean isDelimiter(byte b) {
    return b == delimiter || (delimiter == Mapping.WHITESPACE && b == '\t');
  }

  private void add(byte[] source, int start, int end) {
    if (count == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * count);
      from = Arrays.copyOf(from, 2 * count);
      to = Arrays.copyOf(to, 2 * count);
    }
    bytes[count] = source;
    from[count] = start;
    to[count++] = end;
  }

  int count() {
    return count;
  }

  /** The names of columns: the texts or, where there is no header, their numbers. */
  List<String> names(boolean header) {
    return IntStream.range(0, count).mapToObj(i -> header ? text(i) : "" + (i + 1)).toList();
  }

  /** How many cells there are up to the last that is not empty. */
  int countWithoutEmptyEnd() {
    int last = count;
    while (last > 0 && from[last - 1] == to[last - 1]) {
      last--;
    }
    return last;
  }

  byte[] bytes(int cell) {
    return bytes[cell];
  }

  int from(int cell) {
    return from[cell];
  }

  int to(int cell) {
    return to[cell];
  }

  /** Hands on the cell as a sensor's id: blanks around it belong to it only within quotes. */
  void copyId(int cell, LineFields fields) {
    boolean quoted = bytes[cell] == scratch;
    int start = quoted ? from[cell] : NumberStyle.skipBlanks(bytes[cell], from[cell], to[cell]);
    int end = quoted ? to[cell] : NumberStyle.skipBlanksBackwards(bytes[cell], start, to[cell]);
    fields.set(LineFields.SENSOR_ID, bytes[cell], start, end);
  }

  /** Whether there is nothing in it, or blanks alone. */
  boolean isBlank(int cell) {
    return NumberStyle.skipBlanks(bytes[cell], from[cell], to[cell]) == to[cell];
  }

  /** The cell as text, without the blanks around it. */
  String text(int cell) {
    int start = NumberStyle.skipBlanks(bytes[cell], from[cell], to[cell]);
    int end = NumberStyle.skipBlanksBackwards(bytes[cell], start, to[cell]);
    return new String(bytes[cell], start, end - start, StandardCharsets.UTF_8);
  }
}
