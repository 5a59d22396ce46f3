package io.weir.cli.local.demo;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks the system whether standard error is a terminal, and how large. Java itself cannot say: its
 * console is about standard input and output, and means something else from release 22 on.
 */
final class Terminal {
  /** Columns and lines. */
  record Size(int columns, int lines) {
    /** What a terminal that does not say is taken to have. */
    static final Size USUAL = new Size(80, 24);
  }

  private static final String QUESTION = "test -t 2 && { stty size <&2 2>/dev/null || echo 0 0; }";
  private static final Pattern ANSWER = Pattern.compile("(\\d{1,5}) (\\d{1,5})\\s*");
  private static final int PATIENCE_S = 5;
  private static final long ASK_AGAIN_MS = 2000;

  private Terminal() {}

  /** Whether the environment wants lines that stay rather than a screen that moves. */
  static boolean isPlainWanted(Map<String, String> environment) {
    String term = environment.getOrDefault("TERM", "");
    return term.isEmpty()
        || term.equals("dumb")
        || !environment.getOrDefault("NO_COLOR", "").isEmpty();
  }

  /** The size of the terminal on standard error; empty where it is none. Costs a small process. */
  static Optional<Size> sizeOfStandardError() {
    try {
      Process shell =
          new ProcessBuilder("sh", "-c", QUESTION)
              .redirectInput(new File("/dev/null"))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      if (!shell.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
        shell.destroy();
        return Optional.empty();
      }
      return parse(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /**
   * The size as it changes, asked for again every other second.
   *
   * @param first as it is now
   */
  static Supplier<Size> watched(Size first, LongSupplier nowMs) {
    return new Supplier<>() {
      private Size last = first;
      private long askedMs = nowMs.getAsLong();

      @Override
      public Size get() {
        if (nowMs.getAsLong() - askedMs >= ASK_AGAIN_MS) {
          last = sizeOfStandardError().orElse(last);
          askedMs = nowMs.getAsLong();
        }
        return last;
      }
    };
  }

  /** Lines and columns as stty says them; nothing is said where there is no terminal. */
  static Optional<Size> parse(String answer) {
    Matcher matcher = ANSWER.matcher(answer);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int lines = Integer.parseInt(matcher.group(1));
    int columns = Integer.parseInt(matcher.group(2));
    return Optional.of(lines > 0 && columns > 0 ? new Size(columns, lines) : Size.USUAL);
  }
}
