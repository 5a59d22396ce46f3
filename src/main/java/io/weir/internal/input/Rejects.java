package io.weir.internal.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.text.CsvText;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refused lines as CSV: {@code received_ms,input,client,reason,line}, in files of a directory of at
 * most 64 MiB together, the oldest deleted first. Without a directory it does nothing. Thread-safe.
 */
public final class Rejects implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Rejects.class);
  private static final int FILES = 8;
  private static final long FILE_BYTES = 8 * 1024 * 1024;
  private static final String HEADER = "received_ms,input,client,reason,line\n";

  private final Optional<Path> directory;
  private OutputStream out;
  private long bytes;
  private boolean failing;

  public Rejects(Optional<Path> directory) {
    this.directory = directory;
  }

  /** Adds a refused line: a slice of bytes. A failure is logged once. */
  public synchronized void add(
      String input, String client, String reason, byte[] line, int from, int to) {
    if (directory.isEmpty()) {
      return;
    }
    try {
      ByteArrayOutputStream row = new ByteArrayOutputStream();
      row.writeBytes((System.currentTimeMillis() + "," + input + ",").getBytes(UTF_8));
      CsvText.writeQuoted(row, client.getBytes(UTF_8));
      row.writeBytes(("," + reason + ",").getBytes(UTF_8));
      CsvText.writeQuoted(row, Arrays.copyOfRange(line, from, to));
      row.write('\n');
      roll(directory.get(), row.size());
      out.write(row.toByteArray());
      bytes += row.size();
      failing = false;
    } catch (IOException e) {
      if (!failing) {
        LOG.warn("weir.edge.rejects.dir: refused lines cannot be written", e);
      }
      failing = true;
    }
  }

  /** Writes what is held back. */
  public synchronized void flush() {
    try {
      if (out != null) {
        out.flush();
      }
    } catch (IOException e) {
      LOG.debug("refused lines cannot be written", e);
    }
  }

  private void roll(Path dir, int more) throws IOException {
    if (out != null && bytes + more <= FILE_BYTES) {
      return;
    }
    close();
    Files.createDirectories(dir);
    List<Path> files;
    try (Stream<Path> all = Files.list(dir)) {
      files =
          all.filter(file -> file.getFileName().toString().matches("rejects-\\d{20}\\.csv"))
              .sorted()
              .toList();
    }
    for (int i = 0; i <= files.size() - FILES; i++) {
      Files.deleteIfExists(files.get(i));
    }
    long number = files.isEmpty() ? 1 : numberOf(files.get(files.size() - 1)) + 1;
    Path next = dir.resolve("rejects-%020d.csv".formatted(number));
    out = new BufferedOutputStream(Files.newOutputStream(next, StandardOpenOption.CREATE_NEW));
    out.write(HEADER.getBytes(UTF_8));
    bytes = HEADER.length();
  }

  private static long numberOf(Path file) {
    return Long.parseLong(file.getFileName().toString().replaceAll("\\D", ""));
  }

  @Override
  public synchronized void close() {
    try {
      if (out != null) {
        out.close();
      }
    } catch (IOException e) {
      LOG.warn("weir.edge.rejects.dir: refused lines cannot be written", e);
    }
    out = null;
  }
}
