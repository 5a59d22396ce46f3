package io.weir.lab.cli.demo;

import io.weir.cli.screen.Terminal;
import io.weir.internal.time.MonotonicClock;
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
    PrintStream terminal =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    Optional<Terminal.Size> size =
        plain || Terminal.isPlainWanted(environment)
            ? Optional.empty()
            : Terminal.sizeOfStandardError();
    if (size.isEmpty()) {
      return new PlainLines(terminal);
    }
    return new LiveScreen(terminal, Terminal.watched(size.get(), MonotonicClock::millis));
  }
}
