package io.weir.registry;

import io.weir.registry.RegistryException.Kind;
import io.weir.time.MonotonicClock;
import io.weir.wire.UndecodableException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats calls to a registry that does not answer or refuses, up to a limit of time. Safe for many
 * threads, each of which waits separately.
 */
public final class WaitLimit {
  private static final Logger LOG = LoggerFactory.getLogger(WaitLimit.class);
  private static final long PAUSE_MS = 1_000;

  private final long mostMs;
  private final LongSupplier elapsedMs;
  private final Pause pause;
  private final AtomicBoolean reported = new AtomicBoolean();
  private volatile boolean over;

  /**
   * @param mostMs limit from the first failure; a running call may exceed it
   * @param elapsedMs a monotonic clock
   */
  public WaitLimit(long mostMs, LongSupplier elapsedMs, Pause pause) {
    this.mostMs = mostMs;
    this.elapsedMs = elapsedMs;
    this.pause = pause;
  }

  /** With the machine's clock. */
  public static WaitLimit of(long mostMs) {
    return new WaitLimit(mostMs, MonotonicClock::millis, Pause.SLEEP);
  }

  /** A call to a registry. */
  @FunctionalInterface
  interface Question<T> {
    T ask() throws UndecodableException;
  }

  /**
   * Repeats a call until there is an answer.
   *
   * @throws RegistryException after the limit, or after {@link #end}
   */
  <T> T await(Question<T> question) throws UndecodableException {
    long sinceMs = elapsedMs.getAsLong();
    while (true) {
      try {
        T answer = question.ask();
        if (reported.compareAndSet(true, false)) {
          LOG.info("the schema registry answers again");
        }
        return answer;
      } catch (RegistryException e) {
        long waitedMs = elapsedMs.getAsLong() - sinceMs;
        if (over || waitedMs >= mostMs) {
          throw new RegistryException(
              Kind.UNAVAILABLE,
              "a record waited "
                  + waitedMs / 1_000
                  + " s for the schema registry, and will be read again: "
                  + e.getMessage(),
              e);
        }
        if (reported.compareAndSet(false, true)) {
          LOG.warn(
              "records wait for the schema registry, up to {} s: {}",
              mostMs / 1_000,
              e.getMessage());
        }
      }
      pause.pass(PAUSE_MS);
    }
  }

  /** Ends all waits. */
  public void end() {
    over = true;
  }
}
