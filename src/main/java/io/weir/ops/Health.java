package io.weir.ops;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams.State;

/**
 * Whether the application lives and works, as probes ask. It lives until it has ended for good; it
 * is ready while its threads have their partitions, their state restored. Safe for many threads.
 */
public final class Health {
  private final Supplier<State> state;
  private final CompletableFuture<Optional<String>> ended;

  /**
   * @param ended completes when the application has ended or must end
   */
  public Health(Supplier<State> state, CompletableFuture<Optional<String>> ended) {
    this.state = state;
    this.ended = ended;
  }

  public boolean isAlive() {
    return !ended.isDone();
  }

  public boolean isReady() {
    return isAlive() && state.get() == State.RUNNING;
  }

  /** A line for whoever looks. */
  public String describe() {
    String why =
        ended.isDone() ? ended.join().map(reason -> ": " + reason).orElse(": asked to") : "";
    return state.get() + why + "\n";
  }
}
