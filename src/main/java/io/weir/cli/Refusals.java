package io.weir.cli;

import io.weir.edge.Refusal;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Prints a line for the first dead letter of each reason, and the counts at the end. Safe for many
 * threads.
 */
final class Refusals implements Refusal.Listener {
  /** Wait for dead letters after the last acknowledgement. */
  private static final long LAST_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long LOOK_NANOS = 10_000_000;

  /** Longest wait until the consumer of dead letters is ready. */
  private static final long WATCH_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final PrintWriter err;
  private final String command;
  private final String what;
  private final Map<String, Long> deadLetters = new TreeMap<>();

  /**
   * @param command prefix of each line
   * @param what "readings" or "events"
   */
  Refusals(PrintWriter err, String command, String what) {
    this.err = err;
    this.command = command;
    this.what = what;
  }

  @Override
  public synchronized void refused(Refusal refusal) {
    if (deadLetters.merge(refusal.reason(), 1L, Long::sum) == 1) {
      say("Weir refuses " + what + " of this gateway id: " + refusal.reason() + remedy(refusal));
    }
  }

  /** Waits until dead letters are read, for at most 5 s. */
  void awaitWatch(BooleanSupplier watching) {
    long endNanos = System.nanoTime() + WATCH_NANOS;
    while (!watching.getAsBoolean() && endNanos - System.nanoTime() > 0) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** Whether there were dead letters. */
  synchronized boolean any() {
    return !deadLetters.isEmpty();
  }

  /** Waits for dead letters of the last acknowledged batches, if dead letters are read. */
  void lastLook(BooleanSupplier watching, BooleanSupplier stopped) {
    long endNanos = System.nanoTime() + LAST_LOOK_NANOS;
    while (watching.getAsBoolean() && !stopped.getAsBoolean() && endNanos - System.nanoTime() > 0) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** Prints the number of dead letters, if any. */
  synchronized void summarize() {
    if (!deadLetters.isEmpty()) {
      say(
          deadLetters.entrySet().stream()
              .map(
                  deadLetter ->
                      String.format(
                          Locale.ROOT, "%,d %s", deadLetter.getValue(), deadLetter.getKey()))
              .collect(Collectors.joining(", ", "dead letters of this gateway id: ", "")));
    }
  }

  private static String remedy(Refusal refusal) {
    if (refusal.reason().equals("FENCED")) {
      return ". More than one process uses the id, or the clock was set back: use a different"
          + " --gateway-id for each process";
    }
    return refusal.isOfAllBatches()
        ? ". The clock of this machine is ahead: correct it, and start again"
        : "; see weir tail dead-letters and docs/reference/dead-letters.md";
  }

  private void say(String line) {
    err.println(command + ": " + line);
    err.flush();
  }
}
