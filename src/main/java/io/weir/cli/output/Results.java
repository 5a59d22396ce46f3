package io.weir.cli.output;

import io.weir.internal.text.Printable;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Standard output, for a command's results: lines of UTF-8, buffered until {@link #flush()}. Unlike
 * System.out it reports when it cannot write any more. For one thread.
 */
public final class Results {
  private final OutputStream out;

  /** Results to another stream than standard output. */
  public Results(OutputStream out) {
    this.out = new BufferedOutputStream(out, 1 << 16);
  }

  /** The process's standard output. */
  public static Results standard() {
    return new Results(new FileOutputStream(FileDescriptor.out));
  }

  /**
   * Writes a line without control characters, see {@link Printable}.
   *
   * @throws OutputClosedException if the reader is gone
   * @throws UncheckedIOException if writing fails for another reason, such as a full disk
   */
  public void line(String text) {
    styled(Printable.line(text));
  }

  /** Writes a line that may style the terminal; its texts were made printable before. */
  public void styled(String text) {
    try {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      out.write('\n');
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** What writes itself. */
  @FunctionalInterface
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Writes lines that write themselves, in memory first; each as {@link #line} writes it. */
  public void write(Content content) {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    try {
      content.writeTo(lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    lines.toString(StandardCharsets.UTF_8).lines().forEach(this::line);
  }

  /** Hands everything over to the reader; errors as in {@link #line}. */
  public void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private static RuntimeException failure(IOException e) {
    return String.valueOf(e.getMessage()).contains("Broken pipe")
        ? new OutputClosedException(e)
        : new UncheckedIOException("standard output: " + e.getMessage(), e);
  }
}
