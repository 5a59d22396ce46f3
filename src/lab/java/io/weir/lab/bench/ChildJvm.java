package io.weir.lab.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Another process of this program, with this one's class path and flags. It says its results on
 * standard output, a line each; its standard error is this one's. It does not outlive this process.
 */
final class ChildJvm implements AutoCloseable {
  private static final long TIMEOUT_SECONDS = 30;

  private final Process process;
  private final BufferedReader out;
  private final Thread reaper;

  private ChildJvm(Process process) {
    this.process = process;
    this.out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.reaper = new Thread(process::destroy);
    try {
      Runtime.getRuntime().addShutdownHook(reaper);
    } catch (IllegalStateException e) {
      // This process is ending, and nobody else would end that one.
      process.destroyForcibly();
      throw e;
    }
  }

  /**
   * Starts one.
   *
   * @param mainClass by its name, as it may not be known here
   * @param flags of its JVM, after this one's
   * @param classesBefore goes in front of the class path; empty for nothing
   */
  static ChildJvm start(
      String mainClass, List<String> flags, String classesBefore, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(flags);
    command.add("-cp");
    command.add(classesBefore + classPath());
    command.add(Dependent.class.getName());
    command.add(mainClass);
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    quiet(builder.environment());
    try {
      return new ChildJvm(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private static String classPath() {
    // Maven's test runner starts with one jar that names the others.
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private static void quiet(Map<String, String> environment) {
    environment.putIfAbsent("WEIR_LOG_LEVEL", "WARN");
    environment.putIfAbsent("WEIR_KAFKA_LOG_LEVEL", "ERROR");
  }

  /**
   * The next line it says.
   *
   * @throws IllegalStateException if it ends without one
   */
  String line() {
    try {
      String line = out.readLine();
      if (line == null) {
        process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        throw new IllegalStateException(
            "a measured process ended without figures, status "
                + (process.isAlive() ? "unknown" : process.exitValue()));
      }
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** CPU that it has used since its start; zero where the system does not report it. */
  Duration cpu() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Ends it as kill -9 does, and waits until it has ended. */
  void kill() {
    try {
      process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Asks it to end, and waits until it has. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(reaper);
    } catch (IllegalStateException e) {
      // This process is ending as well: then the hook has run.
    }
  }
}
