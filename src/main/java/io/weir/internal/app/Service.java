package io.weir.internal.app;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The service of a process: started, ready or not, ended, closed. Probes, metrics and signals use
 * it, with or without Kafka Streams. Any thread may call all methods.
 */
public interface Service extends AutoCloseable {
  /**
   * Completes when it has ended or must end: with the reason, or empty after a requested stop. Only
   * a new process can continue after that.
   */
  CompletableFuture<Optional<String>> ended();

  /**
   * Whether it is processing now, or stopped so recently that the tolerance has not passed, and its
   * output can be read.
   */
  boolean isReady();

  /**
   * How long ago it last did its work or learned that there is none, in milliseconds; grows while
   * nothing succeeds, whatever the reason.
   */
  long successAgeMs();

  /** How long it has waited for other systems, in milliseconds; without those that answer. */
  default Map<Dependency, Long> waits() {
    return Map.of();
  }

  /** Its state and the cause of a wait, for operators. */
  String describe();

  /**
   * A description of its internal structure in several lines, such as the topology; may be empty.
   */
  default String topologyDescription() {
    return "";
  }

  /** Ends it, and returns when it has ended. */
  @Override
  void close();
}
