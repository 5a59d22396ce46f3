package io.weir.internal.registry;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Confluent's JavaScript client, installed below target by npm from a lock file, once. Absent where
 * there is no node, no npm or nothing to install from.
 */
final class ConfluentClient {
  private static final Path SOURCE = Path.of("src", "test", "node", "schemaregistry");
  private static final Path HOME = Path.of("target", "schemaregistry-js");
  private static final long TIMEOUT_SECONDS = 240;

  private ConfluentClient() {}

  /** Makes it ready to be asked; says why not, where it cannot be. */
  static Optional<String> whyAbsent() throws IOException, InterruptedException {
    for (String command : List.of("node", "npm")) {
      if (!isOnPath(command)) {
        return Optional.of("there is no " + command + " here");
      }
    }
    Path lock = HOME.resolve("package-lock.json");
    Path marker = HOME.resolve("installed");
    boolean installed =
        Files.exists(marker) && Files.mismatch(lock, SOURCE.resolve("package-lock.json")) == -1;
    copySources();
    if (installed) {
      return Optional.empty();
    }
    Files.deleteIfExists(marker);
    File log = HOME.resolve("npm.log").toFile();
    Process npm =
        new ProcessBuilder(
                "npm",
                "ci",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--prefer-offline",
                "--fetch-retries=1",
                "--fetch-timeout=30000")
            .directory(HOME.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log)
            .start();
    if (!npm.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      npm.destroyForcibly();
      return Optional.of("npm ci did not end, see " + log);
    }
    if (npm.exitValue() != 0) {
      return Optional.of("npm ci failed, see " + log);
    }
    Files.createFile(marker);
    return Optional.empty();
  }

  private static boolean isOnPath(String command) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, command)));
  }

  private static void copySources() throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(SOURCE)) {
      files = new ArrayList<>(walk.filter(Files::isRegularFile).toList());
    }
    for (Path file : files) {
      Path copy = HOME.resolve(SOURCE.relativize(file));
      Files.createDirectories(copy.getParent());
      Files.write(copy, Files.readAllBytes(file));
    }
  }

  /** Its answer to a JSON object. */
  static Object ask(Object question) throws IOException, InterruptedException {
    File errors = HOME.resolve("node.log").toFile();
    Process node =
        new ProcessBuilder("node", "frames.js")
            .directory(HOME.toFile())
            .redirectError(errors)
            .start();
    try (OutputStream out = node.getOutputStream()) {
      out.write(Json.write(question).getBytes(StandardCharsets.UTF_8));
    }
    String answer = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (node.waitFor() != 0) {
      throw new AssertionError("node: " + Files.readString(errors.toPath()));
    }
    return Json.read(answer);
  }
}
