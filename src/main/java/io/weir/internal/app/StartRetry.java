package io.weir.internal.app;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Retries a start while Kafka does not answer. Other failures, such as a wrong setting or a missing
 * right, are thrown at once.
 */
public final class StartRetry {
  static final long PAUSE_MS = 2_000;
  static final long QUIET_MS = 60_000;

  private final long timeoutMs;
  private final LongSupplier elapsedMs;
  private final LongConsumer pause;

  /**
   * @param timeout longest time without Kafka
   * @param elapsedMs a monotonic clock, in milliseconds from anywhere
   * @param pause waits for so many milliseconds
   */
  public StartRetry(Duration timeout, LongSupplier elapsedMs, LongConsumer pause) {
    this.timeoutMs = timeout.toMillis();
    this.elapsedMs = elapsedMs;
    this.pause = pause;
  }

  /**
   * Returns the result of the first successful attempt.
   *
   * @param onWait receives the reason after each failed attempt
   * @param log receives the same, at most once a minute
   * @throws KafkaAwayException of the last attempt, after the timeout
   */
  public <T> T start(Supplier<T> attempt, Consumer<String> onWait, Consumer<String> log) {
    long startMs = elapsedMs.getAsLong();
    long loggedMs = startMs - QUIET_MS;
    while (true) {
      try {
        return attempt.get();
      } catch (KafkaAwayException e) {
        if (elapsedMs.getAsLong() - startMs + PAUSE_MS > timeoutMs) {
          throw e;
        }
        onWait.accept(e.getMessage());
        if (elapsedMs.getAsLong() - loggedMs >= QUIET_MS) {
          loggedMs = elapsedMs.getAsLong();
          log.accept(e.getMessage());
        }
        pause.accept(PAUSE_MS);
      }
    }
  }
}
