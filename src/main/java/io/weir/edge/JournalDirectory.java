package io.weir.edge;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The directory of a journal, locked for this publisher until it is closed. */
final class JournalDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JournalDirectory.class);
  private static final String LOCK = "lock";

  private final Path path;
  private final FileChannel lock;

  private JournalDirectory(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Locks the directory; creates it if it is absent.
   *
   * @throws IOException if another publisher has locked it
   */
  static JournalDirectory open(Path path) throws IOException {
    Files.createDirectories(path);
    FileChannel channel =
        FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      LOG.debug("locked by this process", e);
    }
    if (lock == null) {
      channel.close();
      throw new IOException(
          path + " is used by another publisher; use one directory per " + "publisher");
    }
    return new JournalDirectory(path, channel);
  }

  Path path() {
    return path;
  }

  /** The existing segments by number. */
  NavigableMap<Long, JournalSegment> segments() throws IOException {
    NavigableMap<Long, JournalSegment> segments = new TreeMap<>();
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : files.toList()) {
        OptionalLong number = JournalSegment.numberOf(file);
        if (number.isPresent()) {
          segments.put(number.getAsLong(), JournalSegment.existing(path, number.getAsLong()));
        }
      }
    }
    return segments;
  }

  /** Makes created and deleted files durable. */
  void sync() throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
