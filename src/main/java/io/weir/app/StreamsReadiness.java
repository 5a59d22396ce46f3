package io.weir.app;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams.State;

/**
 * Whether an application on Kafka Streams does its work. A rebalance is no reason to call it
 * unready, unless it lasts, or state is being restored. It is not ready while commits do not get
 * through, or its output cannot be read. Safe for many threads.
 */
final class StreamsReadiness {
  private static final long NEVER = Long.MIN_VALUE;

  private final Supplier<State> state;
  private final BooleanSupplier restoring;
  private final Supplier<Optional<String>> blocked;
  private final long toleranceMs;
  private final LongSupplier elapsedMs;
  private long lastRunningMs = NEVER;

  /**
   * @param restoring whether state that is waited for is being restored
   * @param blocked what keeps it from being useful although it runs, if anything does
   * @param tolerance how long a rebalance may last, from when it was last seen running
   * @param elapsedMs a monotonic clock, in milliseconds from anywhere
   */
  StreamsReadiness(
      Supplier<State> state,
      BooleanSupplier restoring,
      Supplier<Optional<String>> blocked,
      Duration tolerance,
      LongSupplier elapsedMs) {
    this.state = state;
    this.restoring = restoring;
    this.blocked = blocked;
    this.toleranceMs = tolerance.toMillis();
    this.elapsedMs = elapsedMs;
  }

  /**
   * Whether it does its work now, or was interrupted only just now, and what it writes can be read.
   */
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

  /** The state and what keeps it from its work. */
  String describe() {
    return state.get()
        + (restoring.getAsBoolean() ? ", restoring" : "")
        + blocked.get().map(what -> ", " + what).orElse("");
  }
}
