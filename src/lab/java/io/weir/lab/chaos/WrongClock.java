package io.weir.lab.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A wrong wall clock for one process, by the library faketime (package {@code faketime} of Debian).
 */
final class WrongClock {
  private static final Path LIBRARIES = Path.of("/usr/lib");
  private static final String LIBRARY = "faketime/libfaketimeMT.so.1";

  private WrongClock() {}

  /**
   * Environment variables of a process whose clock is ahead, or behind if negative.
   *
   * @throws IllegalArgumentException if the library is not there
   */
  static Map<String, String> ahead(Duration error) {
    if (error.isZero()) {
      return Map.of();
    }
    String seconds = "%+.3fs".formatted(error.toMillis() / 1_000.0);
    return Map.of(
        "LD_PRELOAD",
        library().toString(),
        "FAKETIME",
        seconds,
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1");
  }

  private static Path library() {
    try (Stream<Path> directories = Files.list(LIBRARIES)) {
      return directories
          .map(directory -> directory.resolve(LIBRARY))
          .filter(Files::exists)
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "clock: " + LIBRARY + " not found: install faketime"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
