package io.weir.lab.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Time;

/**
 * A wall clock with a configured error; durations measured with it are right. Safe for many
 * threads.
 */
public final class WrongClock implements Time {
  private static final Path LIBRARIES = Path.of("/usr/lib");
  private static final String LIBRARY = "faketime/libfaketimeMT.so.1";

  private volatile long errorMs;

  /** How far it is ahead from now on; below 0 for behind. */
  public void wrongBy(long millis) {
    errorMs = millis;
  }

  @Override
  public long milliseconds() {
    return SYSTEM.milliseconds() + errorMs;
  }

  @Override
  public long hiResClockMs() {
    return SYSTEM.hiResClockMs();
  }

  @Override
  public long nanoseconds() {
    return SYSTEM.nanoseconds();
  }

  @Override
  public void sleep(long millis) {
    SYSTEM.sleep(millis);
  }

  /** The deadline is by this clock. */
  @Override
  public void waitObject(Object object, Supplier<Boolean> condition, long deadlineMs)
      throws InterruptedException {
    SYSTEM.waitObject(object, condition, deadlineMs - errorMs);
  }

  /**
   * Environment variables of a process of another program whose clock is ahead, or behind if
   * negative, by the library faketime (package {@code faketime} of Debian).
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
