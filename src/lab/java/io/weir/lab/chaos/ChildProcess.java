package io.weir.lab.chaos;

import io.weir.lab.ClassArchive;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A process of this program's classes that is there to be ill-treated. What it says goes to a log
 * file, line by line past a listener. It does not outlive this process, unless that is killed.
 * Signals are sent with {@code kill}.
 */
final class ChildProcess implements AutoCloseable {
  private static final long TIMEOUT_SECONDS = 60;

  /** With this option a process has other classes than this one. */
  static final String CLASS_PATH = "-cp";

  private final Process process;
  private final Thread pump;
  private final Thread reaper;
  private final BufferedWriter commands;

  private ChildProcess(Process process, Path log, Consumer<String> listener) {
    this.process = process;
    this.pump = new Thread(() -> pump(process, log, listener), "log of " + log.getFileName());
    this.pump.setDaemon(true);
    this.pump.start();
    this.commands =
        new BufferedWriter(
            new java.io.OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    this.reaper = new Thread(process::destroyForcibly);
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
   * @param heap the most its heap may have, as {@code -Xmx} takes it
   * @param environment added to this process's, whose WEIR_ and KAFKA_ variables are left out
   * @param log is appended to
   * @param listener receives each line, in a thread of its own
   */
  static ChildProcess start(
      String mainClass,
      String heap,
      List<String> arguments,
      Map<String, String> environment,
      Path log,
      Consumer<String> listener) {
    return start(mainClass, List.of("-Xmx" + heap), arguments, environment, log, listener);
  }

  /** The same with options of the JVM, which are stronger than this process's. */
  static ChildProcess start(
      String mainClass,
      List<String> options,
      List<String> arguments,
      Map<String, String> environment,
      Path log,
      Consumer<String> listener) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    // Short lives on few cores: what the second compiler costs would not come back.
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(options);
    // On the class path of tests there is another one, which keeps silent.
    command.add("-Dlogback.configurationFile=io/weir/internal/app/logback.xml");
    if (!options.contains(CLASS_PATH)) {
      command.addAll(ClassArchive.options());
    }
    command.add(mainClass);
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.matches("(WEIR|KAFKA)_.*"));
    builder.environment().putAll(environment);
    try {
      return new ChildProcess(builder.start(), log, listener);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void pump(Process process, Path log, Consumer<String> listener) {
    try (BufferedReader in =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        Writer out =
            Files.newBufferedWriter(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        listener.accept(line);
        out.write(line);
        out.write('\n');
        out.flush();
      }
    } catch (IOException e) {
      // A process that is killed breaks off.
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Status with which it ended; only once it has. */
  int exitValue() {
    return process.exitValue();
  }

  /** Writes a line to its standard input; one that has ended does not receive it. */
  synchronized void say(String line) {
    try {
      commands.write(line + "\n");
      commands.flush();
    } catch (IOException e) {
      // It has ended.
    }
  }

  /** Ends its standard input. */
  synchronized void endInput() {
    try {
      commands.close();
    } catch (IOException e) {
      // It has ended.
    }
  }

  /** SIGKILL, and waits until it is gone. */
  void kill() {
    process.destroyForcibly();
    await();
  }

  /** SIGTERM, and waits until it has ended; after a minute, SIGKILL. */
  void stop() {
    process.destroy();
    await();
  }

  /** SIGSTOP. */
  void freeze() {
    signal("STOP");
  }

  /** SIGCONT. */
  void thaw() {
    signal("CONT");
  }

  /** From now on each write that makes a file larger fails, as on a full disk. */
  void limitFiles() {
    command("prlimit", "--fsize=0:", "--pid=" + process.pid());
  }

  private void signal(String name) {
    command("kill", "-" + name, Long.toString(process.pid()));
  }

  private void command(String... words) {
    if (!isAlive()) {
      return;
    }
    try {
      new ProcessBuilder(words)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for its end, a minute at the most; then it is killed. Returns whether it ended. */
  boolean await() {
    boolean ended = false;
    try {
      ended = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      if (!ended) {
        process.destroyForcibly().waitFor();
      }
      pump.join();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(reaper);
    } catch (IllegalStateException e) {
      // This process is ending as well: then the hook runs or has run.
    }
    return ended;
  }

  @Override
  public void close() {
    if (isAlive()) {
      kill();
    }
  }
}
