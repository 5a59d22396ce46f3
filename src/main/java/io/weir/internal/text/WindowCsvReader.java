package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads windows as {@link WindowCsvWriter} and {@code weir tail windows --csv} write them: columns
 * are found by their names, others are passed over, a quoted sensor id may have line breaks in it.
 */
public final class WindowCsvReader {
  private static final List<String> NEEDED =
      List.of("sensor_id", "window_start_ms", "window_end_ms", "count", "sum", "min", "max");

  private final String name;
  private final Reader in;
  private long line = 1;

  private WindowCsvReader(String name, Reader in) {
    this.name = name;
    this.in = in;
  }

  /**
   * Reads all windows, in their order; the stream stays open.
   *
   * @param name what errors call the input
   * @throws WindowCsvException if it is no such file; the message names file, line and what is
   *     wrong
   */
  public static void read(String name, InputStream in, Consumer<SummaryRow> windows)
      throws IOException {
    Reader text = new BufferedReader(new InputStreamReader(in, UTF_8));
    new WindowCsvReader(name, text).read(windows);
  }

  /** A file that holds no windows, or a line of it that is none. */
  public static final class WindowCsvException extends IOException {
    private static final long serialVersionUID = 1L;

    WindowCsvException(String message) {
      super(message);
    }
  }

  private void read(Consumer<SummaryRow> windows) throws IOException {
    List<String> header = record();
    if (header == null || !header.containsAll(NEEDED)) {
      throw new WindowCsvException(
          name
              + ": no file of windows, as weir replay --out writes it: the first line must name "
              + String.join(",", NEEDED));
    }
    int[] columns = NEEDED.stream().mapToInt(header::indexOf).toArray();
    int badCount = header.indexOf("bad_count");
    int revision = header.indexOf("revision");
    long firstLine = line;
    for (List<String> cells = record(); cells != null; cells = record()) {
      if (cells.size() != header.size()) {
        throw wrong(firstLine, cells.size() + " cells and not " + header.size());
      }
      SummaryRow window;
      try {
        window =
            new SummaryRow(
                cells.get(columns[0]),
                Long.parseLong(cells.get(columns[1])),
                Long.parseLong(cells.get(columns[2])),
                Long.parseLong(cells.get(columns[3])),
                badCount < 0 ? 0 : Long.parseLong(cells.get(badCount)),
                Double.parseDouble(cells.get(columns[4])),
                Double.parseDouble(cells.get(columns[5])),
                Double.parseDouble(cells.get(columns[6])),
                revision < 0 ? 0 : Integer.parseUnsignedInt(cells.get(revision)));
      } catch (NumberFormatException e) {
        throw wrong(firstLine, "a number cannot be read: " + e.getMessage());
      }
      if (window.startMs() < 0 || window.endMs() <= window.startMs()) {
        throw wrong(firstLine, "the window does not end after its start");
      }
      windows.accept(window);
      firstLine = line;
    }
  }

  private WindowCsvException wrong(long atLine, String what) {
    return new WindowCsvException(name + ": line " + atLine + ": " + what);
  }

  /** The cells of the next record; null at the end. */
  private List<String> record() throws IOException {
    int c = in.read();
    if (c < 0) {
      return null;
    }
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    boolean wasQuote = false;
    for (; c >= 0; c = in.read()) {
      line += c == '\n' ? 1 : 0;
      if (c == '"') {
        quoted = !quoted;
        if (quoted && wasQuote) {
          cell.append('"'); // Doubled.
        }
      } else if (quoted) {
        cell.append((char) c);
      } else if (c == ',') {
        cells.add(cell.toString());
        cell.setLength(0);
      } else if (c == '\n') {
        break;
      } else if (c != '\r' && c != '\ufeff') {
        cell.append((char) c);
      }
      wasQuote = c == '"';
    }
    if (quoted) {
      throw wrong(line, "a quote is not closed");
    }
    cells.add(cell.toString());
    return cells;
  }
}
