package io.weir;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what another thread, process or broker does. */
public final class Await {
  private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LONG_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private Await() {}

  /**
   * Returns once it holds. Looks every 20 ms at first, and every 50 ms after some 200 ms: a look at
   * a broker costs a few milliseconds of CPU.
   *
   * @throws AssertionError if it does not within five minutes, or if looking fails
   */
  public static void until(Callable<Boolean> condition) {
    long startNanos = System.nanoTime();
    long pauseNanos = PAUSE_NANOS;
    while (!holds(condition)) {
      if (System.nanoTime() - startNanos > LIMIT_NANOS) {
        throw inVain();
      }
      LockSupport.parkNanos(pauseNanos);
      pauseNanos = Math.min(LONGEST_PAUSE_NANOS, pauseNanos * 5 / 4);
    }
  }

  /** With where the threads of Kafka Streams stand. */
  private static AssertionError inVain() {
    AssertionError error = new AssertionError("waited for five minutes in vain");
    Thread.getAllStackTraces()
        .forEach(
            (thread, frames) -> {
              if (thread.getName().contains("StreamThread")) {
                Throwable place = new Throwable(thread.getName());
                place.setStackTrace(frames);
                error.addSuppressed(place);
              }
            });
    return error;
  }

  /** A short time, for loops that do something in each round. */
  public static void pause() {
    LockSupport.parkNanos(PAUSE_NANOS);
  }

  /** After so many looks at a process: up to 100 ms. */
  public static void pause(int looks) {
    LockSupport.parkNanos(PAUSE_NANOS * Math.min(5, 1 + looks / 5));
  }

  /** A quarter of a second, for loops that do much in each round. */
  public static void longPause() {
    LockSupport.parkNanos(LONG_PAUSE_NANOS);
  }

  private static boolean holds(Callable<Boolean> condition) {
    try {
      return condition.call();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
