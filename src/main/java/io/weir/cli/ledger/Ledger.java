package io.weir.cli.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.app.StartRefusedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Properties;

/**
 * A record on disk of the sent parts of files: a properties file that is replaced atomically, and a
 * lock file. It has the gateway id, the boot id of the last chunk, the acknowledged readings of
 * each file, and the chunk in flight, if any.
 */
final class Ledger implements AutoCloseable {
  private static final String FORMAT = "weir.ledger";
  private static final String FORMAT_1 = "1";
  private static final String GATEWAY_ID = "gateway.id";
  private static final String BOOT_ID = "boot.id";
  private static final String UNDER_WAY = "under-way.file";
  private static final String FILE = "file.";

  private final Path path;
  private final FileChannel lockFile;
  private final FileLock lock;
  private final Properties entries = new Properties();

  /** A chunk in flight, with an unknown result. */
  record Chunk(String file, SentReadings.Mark after, long bootId) {}

  private Ledger(Path path, FileChannel lockFile, FileLock lock) {
    this.path = path;
    this.lockFile = lockFile;
    this.lock = lock;
  }

  /**
   * Opens a ledger, or creates one.
   *
   * @throws StartRefusedException if another process uses it, or the file is not a ledger
   */
  static Ledger open(Path path) throws IOException {
    Path lockPath = path.resolveSibling(path.getFileName() + ".lock");
    FileChannel channel =
        FileChannel.open(lockPath, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = tryLock(channel);
      if (lock == null) {
        throw new StartRefusedException(
            "--ledger " + path + ": another process uses this ledger; wait for its end");
      }
      Ledger ledger = new Ledger(path, channel, lock);
      ledger.load();
      return ledger;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // This process has the lock.
    }
  }

  private void load() throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (InputStreamReader in =
        new InputStreamReader(new ByteArrayInputStream(Files.readAllBytes(path)), UTF_8)) {
      entries.load(in);
    } catch (IllegalArgumentException e) {
      entries.clear();
    }
    if (!FORMAT_1.equals(entries.getProperty(FORMAT))) {
      throw new StartRefusedException(
          "--ledger " + path + ": this file is not a ledger of weir edge; choose a new file");
    }
  }

  Optional<String> gatewayId() {
    return Optional.ofNullable(entries.getProperty(GATEWAY_ID));
  }

  /** The boot id of the last chunk. */
  Optional<Long> bootId() {
    return Optional.ofNullable(entries.getProperty(BOOT_ID)).map(Long::valueOf);
  }

  /** The acknowledged part of a file. */
  SentReadings.Mark acknowledged(String file) {
    return mark(FILE + file).orElse(SentReadings.Mark.NONE);
  }

  Optional<Chunk> underWay() {
    return Optional.ofNullable(entries.getProperty(UNDER_WAY))
        .map(file -> new Chunk(file, mark(UNDER_WAY).orElseThrow(), bootId().orElseThrow()));
  }

  /** Stores a chunk before it is sent; returns when it is durable. */
  void begin(String gatewayId, Chunk chunk) throws IOException {
    entries.setProperty(FORMAT, FORMAT_1);
    entries.setProperty(GATEWAY_ID, gatewayId);
    entries.setProperty(BOOT_ID, Long.toString(chunk.bootId()));
    entries.setProperty(UNDER_WAY, chunk.file());
    put(UNDER_WAY, chunk.after());
    store();
  }

  /** Stores that the chunk in flight is acknowledged. */
  void end(Chunk chunk) throws IOException {
    entries.remove(UNDER_WAY);
    entries.remove(UNDER_WAY + ".readings");
    entries.remove(UNDER_WAY + ".digest");
    put(FILE + chunk.file(), chunk.after());
    store();
  }

  private Optional<SentReadings.Mark> mark(String name) {
    String readings = entries.getProperty(name + ".readings");
    return readings == null
        ? Optional.empty()
        : Optional.of(
            new SentReadings.Mark(Long.parseLong(readings), entries.getProperty(name + ".digest")));
  }

  private void put(String name, SentReadings.Mark mark) {
    entries.setProperty(name + ".readings", Long.toString(mark.count()));
    entries.setProperty(name + ".digest", mark.digest());
  }

  private void store() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStreamWriter out = new OutputStreamWriter(bytes, UTF_8)) {
      entries.store(
          out, "Readings sent by weir edge --ledger. Do not edit, copy or restore this file.");
    }
    Path draft = path.resolveSibling(path.getFileName() + ".tmp");
    try (FileChannel out =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer content = ByteBuffer.wrap(bytes.toByteArray());
      while (content.hasRemaining()) {
        out.write(content);
      }
      out.force(true);
    }
    Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void close() throws IOException {
    try (lockFile) {
      lock.release();
    }
  }
}
