package io.weir.cli;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * SIGINT and SIGTERM as a polite request: the command sees it, comes to its end, and its own status
 * becomes that of the process. At most one a process; safe for many threads.
 */
public final class StopSignal {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final CompletableFuture<Integer> STATUS = new CompletableFuture<>();

  private final CountDownLatch stopped = new CountDownLatch(1);

  private static volatile boolean stopping;

  private StopSignal() {}

  /**
   * Starts to listen.
   *
   * @param onStop runs once in a thread of its own when the signal comes; should be short
   */
  public static StopSignal install(Runnable onStop) {
    StopSignal signal = new StopSignal();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> signal.stop(onStop), "weir-stop"));
    return signal;
  }

  /** Whether a signal has come to this process. */
  static boolean isStopping() {
    return stopping;
  }

  public boolean isStopped() {
    return stopped.getCount() == 0;
  }

  /** Waits for the signal, for at most that long; returns whether it came. */
  public boolean await(Duration atMost) {
    try {
      return stopped.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Ends the process with a command's status, whether or not a signal is what ended it. */
  static void exit(int status) {
    ended(status);
    System.exit(status);
  }

  /** The command has ended with a status: the end of the process that follows is not a signal. */
  static void ended(int status) {
    STATUS.complete(status);
  }

  private void stop(Runnable onStop) {
    if (STATUS.isDone()) {
      return; // The command ended by itself; nobody sent a signal.
    }
    stopping = true;
    stopped.countDown();
    SecondInterrupt.endsAtOnce(() -> {});
    onStop.run();
    // The JVM would end with 128 + the signal's number, however well the command ended.
    Runtime.getRuntime().halt(statusOrFailure());
  }

  private static int statusOrFailure() {
    try {
      return STATUS.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException | InterruptedException e) {
      return Failures.FAILED;
    }
  }
}
