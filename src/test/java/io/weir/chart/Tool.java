package io.weir.chart;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A program of this machine that a test uses where it is installed. */
record Tool(Path program) {
  private static final long TIMEOUT_SECONDS = 300;

  /** How a run ended, and what it said. */
  record Ended(int status, String out, String err) {}

  /** The program of that name; aborts the test, with the reason, where there is none. */
  static Tool assumed(String name) {
    Optional<Path> found =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .map(dir -> Path.of(dir, name))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(found.isPresent(), name + " is not installed: not checked here");
    return new Tool(found.orElseThrow());
  }

  Ended run(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(arguments);
    Path out = Files.createTempFile("weir-out-", ".txt");
    Path err = Files.createTempFile("weir-err-", ".txt");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
      builder
          .environment()
          .put("GOGC", "300"); // Collects garbage less often: a quarter of its CPU.
      Process process = builder.start();
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("does not end: " + command);
      }
      return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }
}
