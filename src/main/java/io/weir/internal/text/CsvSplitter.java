package io.weir.internal.text;

/**
 * RFC 4180 on one physical line, to the letter: a field is quoted from its first byte to its last
 * or not at all, a quote inside is doubled, blanks belong to their field. One pass, no allocation.
 */
final class CsvSplitter implements LineSplitter {
  private static final int MALFORMED = -1;

  private final int columns;

  /**
   * @param columns how many fields each line has, as many as its header
   */
  CsvSplitter(int columns) {
    this.columns = columns;
  }

  @Override
  public LineReason split(byte[] line, int start, int end, LineFields fields) {
    int at = start;
    for (int column = 0; column < columns; column++) {
      boolean quoted = at < end && line[at] == '"';
      int fieldEnd = quoted ? quoted(line, at, end, column, fields) : bare(line, at, end);
      if (fieldEnd == MALFORMED) {
        return LineReason.MALFORMED_LINE;
      }
      if (!quoted) {
        fields.set(column, line, at, fieldEnd);
      }
      boolean last = column == columns - 1;
      if (last != (fieldEnd == end)) {
        return LineReason.MALFORMED_LINE;
      }
      at = fieldEnd + 1;
    }
    return null;
  }

  /** The end of a field without quotes. */
  private static int bare(byte[] line, int start, int end) {
    int at = start;
    for (; at < end && line[at] != ','; at++) {
      if (line[at] == '"') {
        return MALFORMED;
      }
    }
    return at;
  }

  /** The end of a field in quotes: where the comma is, or the line's end. */
  private static int quoted(byte[] line, int start, int end, int column, LineFields fields) {
    fields.begin(column);
    int at = start + 1;
    for (; at < end; at++) {
      if (line[at] == '"') {
        boolean doubled = at + 1 < end && line[at + 1] == '"';
        if (!doubled) {
          break;
        }
        at++;
      }
      fields.append(column, line[at]);
    }
    int next = at + 1;
    boolean closed = at < end && (next == end || line[next] == ',');
    return closed ? next : MALFORMED;
  }
}
