package io.weir.cli;

import io.weir.lab.ClassArchive;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The program in a process of its own, as a person would start it. */
public final class WeirProcess {
  private static final long TIMEOUT_SECONDS = 300;

  /** How a run ended, and what it said. */
  public record Ended(int status, String out, String err) {
    List<String> lines() {
      return out.lines().toList();
    }
  }

  private WeirProcess() {}

  /** Runs a command to its end. */
  static Ended run(String... arguments) throws Exception {
    return ended(start(arguments));
  }

  static Process start(String... arguments) throws IOException {
    return builder(arguments).start();
  }

  /** A process that is not started yet. */
  static ProcessBuilder builder(String... arguments) {
    return builderOf(Weir.class, arguments);
  }

  static ProcessBuilder builderOf(Class<?> main, String... arguments) {
    ProcessBuilder builder = new ProcessBuilder(command(main, arguments));
    builder.environment().keySet().removeIf(name -> name.matches("(WEIR|KAFKA)_.*"));
    return builder;
  }

  /** The words that start the program. */
  static List<String> command(String... arguments) {
    return command(Weir.class, arguments);
  }

  private static List<String> command(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")); // As the tests.
    String parent = System.getProperty("weir.temporary.parent"); // Its broker writes there.
    if (parent != null) {
      command.add("-Dweir.temporary.parent=" + parent);
    }
    command.addAll(ClassArchive.options());
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return command;
  }

  static Ended ended(Process process) throws Exception {
    CompletableFuture<String> out = text(process.getInputStream());
    CompletableFuture<String> err = text(process.getErrorStream());
    if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("does not end; said so far: " + out.get() + err.get());
    }
    return new Ended(process.exitValue(), out.get(), err.get());
  }

  private static CompletableFuture<String> text(InputStream stream) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }
}
