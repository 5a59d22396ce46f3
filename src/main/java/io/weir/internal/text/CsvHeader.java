package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;

/** The first line of readings as CSV: how many columns it announces, or what is wrong with it. */
final class CsvHeader {
  private static final List<byte[]> NAMES =
      List.of(
          "sensor_id".getBytes(UTF_8),
          "timestamp_ms".getBytes(UTF_8),
          "value".getBytes(UTF_8),
          "quality".getBytes(UTF_8));
  private static final int REQUIRED = 3;
  private static final int MAX_SHOWN_BYTES = 100;

  private CsvHeader() {}

  /**
   * How many columns the line announces, 3 or 4.
   *
   * @throws HeaderException where it is another line than the header
   */
  static int columns(String file, LineScanner line) throws HeaderException {
    for (int columns = REQUIRED; columns <= NAMES.size(); columns++) {
      if (!line.tooLong() && announces(columns, line)) {
        return columns;
      }
    }
    int shownEnd = Math.min(line.end(), line.start() + MAX_SHOWN_BYTES);
    byte[] shown = new byte[shownEnd - line.start()];
    System.arraycopy(line.buffer(), line.start(), shown, 0, shown.length);
    throw new HeaderException(
        file,
        "%s: line %d should be the header sensor_id,timestamp_ms,value[,quality] but is: %s%s"
            .formatted(
                file,
                line.lineNo(),
                Printable.line(new String(shown, UTF_8)),
                shownEnd < line.end() ? " ..." : ""));
  }

  private static boolean announces(int columns, LineScanner line) {
    LineFields fields = new LineFields();
    fields.clear(line.end() - line.start());
    LineReason reason =
        new CsvSplitter(columns).split(line.buffer(), line.start(), line.end(), fields);
    if (reason != null) {
      return false;
    }
    for (int i = 0; i < columns; i++) {
      if (!fields.holds(i, NAMES.get(i))) {
        return false;
      }
    }
    return true;
  }
}
