package io.weir.dev;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory that is deleted with all that is in it when it is closed. */
public final class TemporaryDirectory implements AutoCloseable {
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

  public Path path() {
    return path;
  }

  @Override
  public void close() {
    delete(path);
  }

  /**
   * Deletes a directory with all that is in it.
   *
   * @throws UncheckedIOException if something cannot be deleted
   */
  public static void delete(Path path) {
    try {
      List<Path> childrenFirst;
      try (Stream<Path> tree = Files.walk(path)) {
        childrenFirst = tree.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path child : childrenFirst) {
        Files.deleteIfExists(child);
      }
    } catch (NoSuchFileException e) {
      // Somebody else cleans up here as well.
    } catch (IOException e) {
      throw new UncheckedIOException(path + ": " + e.getMessage(), e);
    }
  }
}
