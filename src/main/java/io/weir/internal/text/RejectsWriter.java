package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.reading.RejectReason;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The bad lines of an input as CSV: {@code line_no,reason,line}. The line is in quotes with its own
 * bytes, also where they are not UTF-8, so that it can be repaired and read again; of one that is
 * too long only the beginning. The number is that of {@link TextLine#lineNo()}.
 *
 * <p>The header is written at once, and the file is there even when nothing follows. Not safe for
 * several threads.
 */
public final class RejectsWriter implements Closeable {
  private static final byte[] HEADER = "line_no,reason,line\n".getBytes(US_ASCII);
  private static final int BUFFER_BYTES = 1 << 16;

  private final OutputStream out;
  private long count;

  private RejectsWriter(OutputStream out) {
    this.out = out;
  }

  /** Overwrites the file with the header alone. */
  public static RejectsWriter open(Path file) throws IOException {
    OutputStream out = Files.newOutputStream(file);
    try {
      out.write(HEADER);
      return new RejectsWriter(new BufferedOutputStream(out, BUFFER_BYTES));
    } catch (IOException e) {
      out.close();
      throw e;
    }
  }

  /** Adds a line. */
  public void write(TextLine.Bad bad) throws IOException {
    write(bad.lineNo(), bad.reason().name(), bad.line());
  }

  /** Adds a line that is refused for a reason of its own kind. */
  public void write(long lineNo, String reason, byte[] line) throws IOException {
    out.write((lineNo + "," + reason + ",").getBytes(US_ASCII));
    CsvText.writeQuoted(out, line);
    out.write('\n');
    count++;
  }

  /**
   * Adds a reading that was refused behind the text, where nobody knows its line any more: its
   * number is 0, and the line is made of the reading.
   */
  public void write(RejectReason reason, String sensorId, long timestampMs, double value)
      throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    CsvText.write(line, sensorId);
    line.writeBytes(("," + timestampMs + "," + value).getBytes(US_ASCII));
    write(0, reason.name(), line.toByteArray());
  }

  /** How many lines were written, the header not counted. */
  public long count() {
    return count;
  }

  /** Writes what is held back and closes the file. */
  @Override
  public void close() throws IOException {
    out.close();
  }
}
