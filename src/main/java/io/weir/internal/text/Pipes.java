package io.weir.internal.text;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** How inputs are opened that are still being written: standard input and named pipes. */
@FunctionalInterface
public interface Pipes {
  /** The name of standard input. */
  String STANDARD_INPUT = "-";

  /**
   * Opens one; closed when it has been read.
   *
   * @param name a path, or {@value #STANDARD_INPUT}
   */
  InputStream open(String name) throws IOException;

  /** Standard input as it is given, and never closed; opening a named pipe waits for its writer. */
  static Pipes of(InputStream standardInput) {
    return name ->
        STANDARD_INPUT.equals(name)
            ? new FilterInputStream(standardInput) {
              @Override
              public void close() {}
            }
            : Files.newInputStream(Path.of(name));
  }
}
