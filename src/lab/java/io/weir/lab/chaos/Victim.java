package io.weir.lab.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A command of Weir in a process with a small heap, which ends at the first OutOfMemoryError, as
 * the image's does. Started as a supervisor would, by its arguments and variables alone. Safe for
 * many threads.
 */
final class Victim implements AutoCloseable {
  private static final int LINES = 3;
  private static final int LINE_LENGTH = 240;

  private final String name;
  private final String heap;
  private final List<String> arguments;
  private final Map<String, String> environment;
  private final Path log;
  private final Deque<String> said = new ArrayDeque<>();
  private ChildProcess process;

  /**
   * @param heap as {@code -Xmx} takes it
   * @param arguments the command and what follows it
   * @param log of what it says
   */
  Victim(
      String name, String heap, List<String> arguments, Map<String, String> environment, Path log) {
    this.name = name;
    this.heap = heap;
    this.arguments = arguments;
    this.environment = environment;
    this.log = log;
  }

  synchronized void start() {
    process =
        ChildProcess.start(
            Application.WEIR,
            List.of("-Xmx" + heap, "-XX:+ExitOnOutOfMemoryError"),
            arguments,
            environment,
            log,
            this::hear);
  }

  private void hear(String line) {
    String start = line.length() > LINE_LENGTH ? line.substring(0, LINE_LENGTH) : line;
    synchronized (said) {
      // Else it is a result.
      if (!start.startsWith("{")) {
        said.add(start);
      }
      if (said.size() > LINES) {
        said.remove();
      }
    }
  }

  /** How it ended by itself and why, in words; empty while it runs. */
  synchronized Optional<String> end() {
    if (process.isAlive()) {
      return Optional.empty();
    }
    String why;
    synchronized (said) {
      why = String.join(" | ", new ArrayList<>(said));
      said.clear();
    }
    return Optional.of("%s ended with status %d: %s".formatted(name, process.exitValue(), why));
  }

  /** Writes a line to its standard input. */
  void say(String line) {
    ChildProcess now;
    synchronized (this) {
      now = process;
    }
    now.say(line);
  }

  /** Waits for its end; its status, or -1 where it did not end. */
  int await(Duration atMost) {
    ChildProcess now;
    synchronized (this) {
      now = process;
    }
    return Waiting.until(atMost, () -> !now.isAlive()) ? now.exitValue() : -1;
  }

  @Override
  public synchronized void close() {
    if (process != null) {
      process.close();
    }
  }
}
