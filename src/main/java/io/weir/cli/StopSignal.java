package io.weir.cli;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * SIGINT and SIGTERM as a request to stop: the command ends by itself, and its status is the exit
 * status of the process. At most one a process; safe for many threads.
 */
public final class StopSignal {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final CompletableFuture<Integer> STATUS = new CompletableFuture<>();

  private final CountDownLatch stopped = new CountDownLatch(1);

  private static volatile boolean stopping;
  private static volatile Runnable newest = () -> {};

  private StopSignal() {}

  /**
   * Starts to listen.
   *
   * @param onStop runs once, on its own thread, after the signal; should be short
   */
  public static StopSignal install(Runnable onStop) {
    StopSignal signal = new StopSignal();
    newest =
        () -> {
          signal.stopped.countDown();
          onStop.run();
        };
    Runtime.getRuntime().addShutdownHook(new Thread(() -> signal.stop(onStop), "weir-stop"));
    return signal;
  }

  /** Stops the newest command that listens; the process goes on. */
  static void request() {
    newest.run();
  }

  /** Whether the process has received a signal. */
  static boolean isStopping() {
    return stopping;
  }

  public boolean isStopped() {
    return stopped.getCount() == 0;
  }

  /** Waits for the signal; returns whether it was received. */
  public boolean await(Duration atMost) {
    try {
      return stopped.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Ends the process with a command's status, with or without a signal. */
  static void exit(int status) {
    ended(status);
    System.exit(status);
  }

  /** The command has ended with a status: the following exit is not a signal. */
  static void ended(int status) {
    STATUS.complete(status);
  }

  private void stop(Runnable onStop) {
    if (STATUS.isDone()) {
      return; // The command ended without a signal.
    }
    stopping = true;
    stopped.countDown();
    SecondInterrupt.endsAtOnce(() -> {});
    onStop.run();
    // The JVM would exit with 128 + the signal's number instead of the command's status.
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
