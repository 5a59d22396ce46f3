package io.weir.examples;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What other programs the machine has; a test that needs one it has not is skipped and says so. */
public final class Tool {
  private static final long TIMEOUT_SECONDS = 240;

  /** What npm said when it could not install; nobody waits for that twice. */
  private static final Map<Path, String> NPM_FAILURES = new HashMap<>();

  private Tool() {}

  /** How a program ended, and what it said. */
  public record Ended(int status, String out, String err) {}

  /** A Python that has Kafka's and protobuf's libraries. */
  static String python() {
    return Stream.of("python3", "/usr/bin/python3")
        .filter(python -> works(python, "-c", "import confluent_kafka, google.protobuf"))
        .findFirst()
        .orElseGet(
            () ->
                abort(
                    "no python3 with confluent_kafka and google.protobuf"
                        + " (Debian: python3-confluent-kafka, python3-protobuf)"));
  }

  static void kcat() {
    assumeTrue(works("kcat", "-V"), "no kcat");
  }

  /** The directory of the Node examples with what they depend on. */
  static Path node() throws Exception {
    return node("examples");
  }

  /** The same of programs of others, installed once by one process. */
  public static synchronized Path node(String room) throws Exception {
    Path sources = Path.of("src", room, "node");
    Path built = Path.of("target", room, "node");
    if (!works("node", "--version") || !works("npm", "--version")) {
      abort("no node with npm");
    }
    if (NPM_FAILURES.containsKey(built)) {
      abort(NPM_FAILURES.get(built));
    }
    Files.createDirectories(built);
    try (FileChannel channel = FileChannel.open(built.resolve(".lock"), CREATE, WRITE)) {
      channel.lock(); // Until the channel is closed.
      copySources(sources, built);
      if (!isInstalled(built)) {
        install(built);
      }
    }
    return built;
  }

  private static void copySources(Path from, Path built) throws IOException {
    try (Stream<Path> sources = Files.list(from)) {
      for (Path source : sources.toList()) {
        Path target = built.resolve(source.getFileName());
        if (!Files.exists(target) || Files.mismatch(source, target) >= 0) {
          Files.write(target, Files.readAllBytes(source));
        }
      }
    }
  }

  private static boolean isInstalled(Path built) throws IOException {
    Path installed = built.resolve("node_modules/.package-lock.json");
    Path wanted = built.resolve("package-lock.json");
    return Files.exists(installed)
        && Files.getLastModifiedTime(installed).compareTo(Files.getLastModifiedTime(wanted)) >= 0;
  }

  private static void install(Path built) {
    ProcessBuilder npm =
        new ProcessBuilder(
                "npm",
                "ci",
                "--ignore-scripts",
                "--prefer-offline",
                "--fetch-retries=1",
                "--fetch-timeout=20000",
                "--no-audit",
                "--no-fund")
            .directory(built.toFile());
    Ended ended = run(npm, new byte[0]);
    if (ended.status() != 0) {
      String failure = "npm cannot install " + built + ": " + ended.err().strip();
      NPM_FAILURES.put(built, failure);
      abort(failure);
    }
  }

  private static boolean works(String... command) {
    try {
      return run(new ProcessBuilder(command), new byte[0]).status() == 0;
    } catch (UncheckedIOException notThere) {
      return false;
    }
  }

  /** Runs a program to its end. */
  public static Ended run(List<String> command, String input) {
    return run(new ProcessBuilder(command), input.getBytes(StandardCharsets.UTF_8));
  }

  private static Ended run(ProcessBuilder builder, byte[] input) {
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1"); // It would write beside sources.
    try {
      Process process = builder.start();
      CompletableFuture<String> out = CompletableFuture.supplyAsync(() -> text(process, true));
      CompletableFuture<String> err = CompletableFuture.supplyAsync(() -> text(process, false));
      feed(process, input);
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(builder.command() + " does not end; it said " + err.join());
      }
      return new Ended(process.exitValue(), out.join(), err.join());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static void feed(Process process, byte[] input) {
    try (OutputStream in = process.getOutputStream()) {
      in.write(input);
    } catch (IOException left) {
      // It ended without reading all; its exit status says why.
      return;
    }
  }

  private static String text(Process process, boolean out) {
    try {
      var stream = out ? process.getInputStream() : process.getErrorStream();
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
