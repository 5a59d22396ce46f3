package io.weir.internal.app;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams.State;

/**
 * The readiness of an application on Kafka Streams. It stays ready during a short rebalance without
 * a restore. It is not ready while commits fail, or its output is blocked. Safe for many threads.
 */
final class StreamsReadiness {
  private static final long NEVER = Long.MIN_VALUE;

  private final Supplier<State> state;
  private final BooleanSupplier restoring;
  private final Supplier<Optional<String>> blocked;
  private final Supplier<Optional<String>> waits;
  private final long toleranceMs;
  private final LongSupplier elapsedMs;
  private long lastRunningMs = NEVER;

  /**
   * @param restoring whether active tasks restore state
   * @param blocked the cause of a stall, if any
   * @param waits what records wait for, if anything; a short wait is no stall
   * @param tolerance longest rebalance since it was last running
   * @param elapsedMs a monotonic clock, in milliseconds from anywhere
   */
  StreamsReadiness(
      Supplier<State> state,
      BooleanSupplier restoring,
      Supplier<Optional<String>> blocked,
      Supplier<Optional<String>> waits,
      Duration tolerance,
      LongSupplier elapsedMs) {
    this.state = state;
    this.restoring = restoring;
    this.blocked = blocked;
    this.waits = waits;
    this.toleranceMs = tolerance.toMillis();
    this.elapsedMs = elapsedMs;
  }

  /** Whether it processes records, or did so within the tolerance, and its output is readable. */
  synchronized boolean isReady() {
    if (blocked.get().isPresent()) {
      return false;
    }
    long nowMs = elapsedMs.getAsLong();
    State now = state.get();
    if (now == State.RUNNING) {
      lastRunningMs = nowMs;
      return true;
    }
    return now == State.REBALANCING
        && lastRunningMs != NEVER
        && nowMs - lastRunningMs <= toleranceMs
        && !restoring.getAsBoolean();
  }

  /** The state and the cause of a stall. */
  String describe() {
    return state.get()
        + (restoring.getAsBoolean() ? ", restoring" : "")
        + blocked.get().map(what -> ", " + what).orElse("")
        + waits.get().map(what -> ", " + what).orElse("");
  }
}
