package io.weir.lab;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Properties;
import java.util.stream.Stream;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;

/** The broker's directory: formatted once, and one broker's at a time until {@link #close()}. */
final class BrokerStorage implements AutoCloseable {
  private static final String FORMATTED = "meta.properties";
  private static final String LOCK = "weir.lock";

  private final Path dir;
  private final FileChannel lock;
  private final boolean temporary;

  private BrokerStorage(Path dir, boolean temporary) throws IOException {
    this.dir = dir;
    this.lock = lock(dir);
    this.temporary = temporary;
  }

  /**
   * A directory that is kept; made where there is none.
   *
   * @throws IOException if it holds something else, or another broker has it
   */
  static BrokerStorage of(Path dir) throws IOException {
    Path absolute = Files.createDirectories(dir.toAbsolutePath());
    try (Stream<Path> entries = Files.list(absolute)) {
      if (!isFormatted(absolute) && entries.anyMatch(entry -> !entry.endsWith(LOCK))) {
        throw new IOException(dir + " is neither empty nor the directory of a broker");
      }
    }
    return new BrokerStorage(absolute, false);
  }

  /** A directory that is deleted at the end. */
  static BrokerStorage temporary() throws IOException {
    return new BrokerStorage(TemporaryDirectory.createForData("weir-kafka-").path(), true);
  }

  Path dir() {
    return dir;
  }

  /**
   * Formats the directory unless a broker has lived there.
   *
   * @throws IOException if it cannot be written
   */
  void formatIfNew(Properties properties, Uuid clusterId) throws IOException {
    if (isFormatted(dir)) {
      return;
    }
    Path config = Files.createTempFile("weir-kafka-", ".properties");
    try {
      try (OutputStream out = Files.newOutputStream(config)) {
        properties.store(out, null);
      }
      format(config, clusterId);
    } finally {
      Files.deleteIfExists(config);
    }
  }

  /** Leaves the directory to others, or deletes it where it was temporary. */
  @Override
  public void close() {
    try {
      lock.close();
      if (temporary) {
        TemporaryDirectory.delete(dir);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(dir + ": " + e.getMessage(), e);
    }
  }

  private void format(Path config, Uuid clusterId) throws IOException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    String[] command = {
      "format", "--config", config.toString(), "--cluster-id", clusterId.toString()
    };
    if (StorageTool.execute(command, new PrintStream(said, true, StandardCharsets.UTF_8)) != 0) {
      String why = said.toString(StandardCharsets.UTF_8).strip();
      throw new IOException(dir + " could not be formatted: " + why);
    }
  }

  private static boolean isFormatted(Path dir) {
    return Files.exists(dir.resolve(FORMATTED));
  }

  /**
   * Kafka's own lock comes too late: a second controller has by then written over the metadata of
   * the first.
   */
  private static FileChannel lock(Path dir) throws IOException {
    FileChannel lock =
        FileChannel.open(dir.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (lock.tryLock() != null) {
        return lock;
      }
    } catch (OverlappingFileLockException e) {
      // A broker of this very process has it: the answer is the same.
    }
    lock.close();
    throw new IOException("another broker is running on " + dir);
  }
}
