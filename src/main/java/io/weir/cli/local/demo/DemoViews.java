package io.weir.cli.local.demo;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** Chooses how to show a demo. */
final class DemoViews {
  private DemoViews() {}

  /** A live screen where standard error is a terminal that can do it, else plain lines. */
  static DemoView onStandardError(boolean plain, Map<String, String> environment) {
    if (plain || Terminal.isPlainWanted(environment)) {
      return new PlainLines(System.err);
    }
    Optional<Terminal.Size> size = Terminal.sizeOfStandardError();
    if (size.isEmpty()) {
      return new PlainLines(System.err);
    }
    PrintStream terminal =
        new PrintStream(new FileOutputStream(FileDescriptor.err), false, StandardCharsets.UTF_8);
    return new LiveScreen(
        terminal, Terminal.watched(size.get(), () -> System.nanoTime() / 1_000_000));
  }
}
