package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The latest summaries of windows as CSV, a line each, in the order given. Doubles are written so
 * that they parse back to the same double. A window with nothing but readings of quality BAD is a
 * latest summary too and is listed, with count 0 and sum, min and max as its record has them: 0.
 */
public final class WindowCsvWriter {
  private static final String HEADER =
      "sensor_id,window_start_ms,window_end_ms,count,sum,min,max,revision";
  private static final int BUFFER_BYTES = 1 << 16;

  private WindowCsvWriter() {}

  /**
   * Overwrites the file. A regular file is replaced in one step when all is written, and stays as
   * it was where that fails; what is no regular file (a pipe, a terminal) is written into.
   *
   * @param more columns behind those that are always there
   */
  public static void write(Path file, Iterable<SummaryRow> summaries, List<WindowColumn> more)
      throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      writeAll(Files.newOutputStream(file), summaries, more);
      return;
    }
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    Path draft = draftBeside(target);
    try {
      writeAll(Files.newOutputStream(draft, StandardOpenOption.CREATE_NEW), summaries, more);
      replace(draft, target);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /** A name that is free. Not of Files.createTempFile, whose files only their owner may read. */
  private static Path draftBeside(Path target) {
    for (int i = 0; ; i++) {
      Path draft = target.resolveSibling("." + target.getFileName() + "." + i + ".tmp");
      if (!Files.exists(draft, LinkOption.NOFOLLOW_LINKS)) {
        return draft;
      }
    }
  }

  private static void replace(Path draft, Path target) throws IOException {
    try {
      Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(draft, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Writes to a stream, which stays open and should be buffered. */
  public static void write(
      OutputStream out, Iterable<SummaryRow> summaries, List<WindowColumn> more)
      throws IOException {
    writeHeader(out, more, List.of());
    for (SummaryRow row : summaries) {
      write(out, row, more, List.of());
    }
  }

  /**
   * Writes the names of the columns.
   *
   * @param last names of columns behind all others, of letters alone
   */
  public static void writeHeader(OutputStream out, List<WindowColumn> more, List<String> last)
      throws IOException {
    StringBuilder header = new StringBuilder(HEADER);
    more.forEach(column -> header.append(',').append(column.title()));
    last.forEach(title -> header.append(',').append(title));
    out.write(header.append('\n').toString().getBytes(US_ASCII));
  }

  private static void writeAll(
      OutputStream to, Iterable<SummaryRow> summaries, List<WindowColumn> more) throws IOException {
    try (OutputStream out = new BufferedOutputStream(to, BUFFER_BYTES)) {
      write(out, summaries, more);
    }
  }

  /** Writes a window, and the fields of the last columns as they are. */
  public static void write(
      OutputStream out, SummaryRow row, List<WindowColumn> more, List<String> last)
      throws IOException {
    CsvText.write(out, row.sensorId());
    String revision = Integer.toUnsignedString(row.revision());
    List<Object> numbers =
        List.of(row.startMs(), row.endMs(), row.count(), row.sum(), row.min(), row.max(), revision);
    for (Object number : numbers) {
      out.write(("," + number).getBytes(US_ASCII));
    }
    for (WindowColumn column : more) {
      out.write((',' + column.of(row)).getBytes(US_ASCII));
    }
    for (String field : last) {
      out.write((',' + field).getBytes(US_ASCII));
    }
    out.write('\n');
  }
}
