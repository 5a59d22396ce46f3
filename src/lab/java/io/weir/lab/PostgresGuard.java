package io.weir.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A small process that outlives this one by a moment: it kills the server of a directory and
 * deletes the directory when this JVM has ended, however it ended, also by kill -9. Until then the
 * server answers, also to a command that ends in order after Ctrl-C. One thread.
 */
final class PostgresGuard implements AutoCloseable {
  /**
   * Its standard input is a pipe that only this JVM holds: read returns when that is gone. The
   * server's number is used only while the process still is one of this directory.
   */
  private static final String SCRIPT =
      """
      trap '' INT TERM HUP
      read -r line
      read -r pid < "$1/data/postmaster.pid" && grep -qaF -- "$1" "/proc/$pid/cmdline" && kill -KILL "$pid"
      rm -rf -- "$1" || { sleep 1; rm -rf -- "$1"; }
      """;

  private final Process process;

  private PostgresGuard(Process process) {
    this.process = process;
  }

  /** Starts one for a directory of a server. */
  static PostgresGuard start(Path directory) throws IOException {
    List<String> command = ownSession();
    command.addAll(List.of("sh", "-c", SCRIPT, "weir-postgres-guard", directory.toString()));
    return new PostgresGuard(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  /**
   * What starts a program in a session of its own, so that Ctrl-C in the terminal does not reach
   * it; nothing where this machine has no setsid.
   */
  static List<String> ownSession() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(":"))
        .map(directory -> Path.of(directory, "setsid").toFile())
        .filter(program -> program.canExecute())
        .findFirst()
        .map(program -> new ArrayList<>(List.of(program.getPath())))
        .orElseGet(ArrayList::new);
  }

  /** Ends it without touching the server. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
