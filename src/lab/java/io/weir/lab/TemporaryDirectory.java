package io.weir.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A directory that is deleted with all that is in it when it is closed. */
public final class TemporaryDirectory implements AutoCloseable {
  /** Where directories of data are made, if there is room; tests keep theirs in memory. */
  private static final String PARENT = "weir.temporary.parent";

  private static final long ROOM_BYTES = 4L << 30;
  private static final int ATTEMPTS = 100;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final Deletion DELETION = new Deletion();

  private final Path path;

  private TemporaryDirectory(Path path) {
    this.path = path;
  }

  /**
   * @throws UncheckedIOException if there is no room for one
   */
  public static TemporaryDirectory create(String prefix) {
    try {
      return new TemporaryDirectory(Files.createTempDirectory(prefix));
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /**
   * The same for data that is written often: where the system property {@value #PARENT} says, if
   * there are 4 GiB of room.
   */
  public static TemporaryDirectory createForData(String prefix) {
    try {
      String parent = System.getProperty(PARENT, "");
      return hasRoom(parent)
          ? new TemporaryDirectory(Files.createTempDirectory(Path.of(parent), prefix))
          : create(prefix);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private static boolean hasRoom(String parent) throws IOException {
    Path path = Path.of(parent);
    return !parent.isEmpty()
        && Files.isDirectory(path)
        && Files.isWritable(path)
        && Files.getFileStore(path).getUsableSpace() >= ROOM_BYTES;
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() {
    delete(path);
  }

  /**
   * Deletes a directory with all that is in it, also while a process that is ending still writes
   * there, for a few seconds.
   *
   * @throws UncheckedIOException if something cannot be deleted
   */
  public static void delete(Path path) {
    IOException last = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        Files.walkFileTree(path, DELETION);
        return;
      } catch (NoSuchFileException | DirectoryNotEmptyException e) {
        last = e; // Another process deletes or writes here as well.
      } catch (IOException e) {
        throw new UncheckedIOException(path + ": " + e.getMessage(), e);
      }
      if (Files.notExists(path)) {
        return;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw new UncheckedIOException(path + ": " + last.getMessage(), last);
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failure)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
