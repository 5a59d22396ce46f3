package io.weir.internal.registry;

import io.weir.internal.registry.RegistryException.Kind;
import io.weir.internal.time.MonotonicClock;
import io.weir.internal.wire.UndecodableException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
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
  private final Map<Thread, Long> waitingSinceMs = new ConcurrentHashMap<>();
  private volatile String lastFailure = "";
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
    try {
      return await(question, elapsedMs.getAsLong());
    } finally {
      waitingSinceMs.remove(Thread.currentThread());
    }
  }

  private <T> T await(Question<T> question, long sinceMs) throws UndecodableException {
    while (true) {
      try {
        T answer = question.ask();
        if (reported.compareAndSet(true, false)) {
          LOG.info("the schema registry answers again");
        }
        return answer;
      } catch (RegistryException e) {
        lastFailure = String.valueOf(e.getMessage());
        waitingSinceMs.put(Thread.currentThread(), sinceMs);
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

  /** How long a record has waited, the one that waits longest; 0 if none does. */
  public long waitedMs() {
    long nowMs = elapsedMs.getAsLong();
    return waitingSinceMs.values().stream().mapToLong(since -> nowMs - since).max().orElse(0);
  }

  /** The wait as text; empty if no record waits. */
  public Optional<String> describe() {
    return waitingSinceMs.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "records wait for the schema registry since "
                + waitedMs() / 1_000
                + " s: "
                + lastFailure);
  }

  /** Ends all waits. */
  public void end() {
    over = true;
  }
}
