package io.weir.ops;

import io.weir.app.HttpSettings;
import io.weir.app.WeirApplication;
import io.weir.time.MonotonicClock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams.State;

/**
 * Whether the application lives and works, as probes ask. It lives until it must end for a reason
 * of its own: then only another process can go on. It is ready while it aggregates; a rebalance is
 * no reason to call it unready, unless it lasts, or state is being restored. It is not ready while
 * commits do not get through, or its output cannot be read. Safe for many threads.
 */
public final class Health {
  private static final long NEVER = Long.MIN_VALUE;

  private final Supplier<State> state;
  private final BooleanSupplier restoring;
  private final Supplier<Optional<String>> blocked;
  private final CompletableFuture<Optional<String>> ended;
  private final long toleranceMs;
  private final LongSupplier elapsedMs;
  private long lastRunningMs = NEVER;

  /**
   * @param restoring whether state that is waited for is being restored
   * @param blocked what keeps it from being useful although it runs, if anything does
   * @param ended completes when the application has ended or must end: with why, or with nothing if
   *     it was asked to
   * @param tolerance how long a rebalance may last, from when it was last seen running
   * @param elapsedMs a monotonic clock, in milliseconds from anywhere
   */
  Health(
      Supplier<State> state,
      BooleanSupplier restoring,
      Supplier<Optional<String>> blocked,
      CompletableFuture<Optional<String>> ended,
      Duration tolerance,
      LongSupplier elapsedMs) {
    this.state = state;
    this.restoring = restoring;
    this.blocked = blocked;
    this.ended = ended;
    this.toleranceMs = tolerance.toMillis();
    this.elapsedMs = elapsedMs;
  }

  /** The health of a running application. */
  public static Health of(WeirApplication application, HttpSettings settings) {
    return new Health(
        application::state,
        () -> application.restores().partitions() > 0,
        () ->
            application
                .blockedOutputs()
                .describe()
                .or(() -> application.standstill(settings.commitTolerance())),
        application.ended(),
        settings.rebalanceTolerance(),
        MonotonicClock::millis);
  }

  /** Whether this process can still do its work; false for good. */
  public boolean isLive() {
    return failure().isEmpty();
  }

  /**
   * Whether it does its work now, or was interrupted only just now, and what it writes can be read.
   */
  public synchronized boolean isReady() {
    if (ended.isDone() || blocked.get().isPresent()) {
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

  /** A line for whoever looks. */
  public String describe() {
    return state.get()
        + (restoring.getAsBoolean() ? ", restoring" : "")
        + blocked.get().map(what -> ", " + what).orElse("")
        + failure().map(why -> ": " + why).orElse("")
        + "\n";
  }

  private Optional<String> failure() {
    return ended.isDone() ? ended.join() : Optional.empty();
  }
}
