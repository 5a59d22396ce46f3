package io.weir.cli.screen;

import static java.lang.ProcessBuilder.Redirect.INHERIT;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds out whether standard output or standard error is a terminal, and its size. Java's console
 * does not tell: it is about standard input and output together, and differs from release 22 on.
 */
public final class Terminal {
  /** Columns and lines. */
  public record Size(int columns, int lines) {
    /** The size of a terminal that does not report it. */
    public static final Size USUAL = new Size(80, 24);
  }

  // The answer uses the other stream.
  private static final String OF_STANDARD_ERROR =
      "test -t 2 && { stty size <&2 2>/dev/null || echo 0 0; }";
  private static final String OF_STANDARD_OUTPUT =
      "test -t 1 && { stty size <&1 2>/dev/null >&2 || echo 0 0 >&2; }";
  private static final Pattern ANSWER = Pattern.compile("(\\d{1,5}) (\\d{1,5})\\s*");
  private static final int TIMEOUT_S = 5;
  private static final long ASK_AGAIN_MS = 2000;

  private Terminal() {}

  /** Whether the environment requests plain lines instead of a moving screen. */
  public static boolean isPlainWanted(Map<String, String> environment) {
    String term = environment.getOrDefault("TERM", "");
    return term.isEmpty()
        || term.equals("dumb")
        || !environment.getOrDefault("NO_COLOR", "").isEmpty();
  }

  /**
   * The size of the terminal on standard error; empty if it is not a terminal. Starts a small
   * process.
   */
  public static Optional<Size> sizeOfStandardError() {
    return ask(shell(OF_STANDARD_ERROR).redirectError(INHERIT), Process::getInputStream);
  }

  /**
   * The size of the terminal on standard output; empty if it is not a terminal. Starts a small
   * process.
   */
  public static Optional<Size> sizeOfStandardOutput() {
    return ask(shell(OF_STANDARD_OUTPUT).redirectOutput(INHERIT), Process::getErrorStream);
  }

  private static ProcessBuilder shell(String question) {
    return new ProcessBuilder("sh", "-c", question).redirectInput(new File("/dev/null"));
  }

  private static Optional<Size> ask(
      ProcessBuilder shell, Function<Process, InputStream> whereItAnswers) {
    try {
      Process process = shell.start();
      if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
        process.destroy();
        return Optional.empty();
      }
      InputStream answer = whereItAnswers.apply(process);
      return parse(new String(answer.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /**
   * The current size, updated every two seconds.
   *
   * @param first the current size
   */
  public static Supplier<Size> watched(Size first, LongSupplier nowMs) {
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

  /** Parses lines and columns from the output of stty, which is empty without a terminal. */
  public static Optional<Size> parse(String answer) {
    Matcher matcher = ANSWER.matcher(answer);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int lines = Integer.parseInt(matcher.group(1));
    int columns = Integer.parseInt(matcher.group(2));
    return Optional.of(lines > 0 && columns > 0 ? new Size(columns, lines) : Size.USUAL);
  }
}
