package io.weir.app;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What a process is there for: it has been started, is ready or is not, ends, and is closed.
 * Probes, metrics and signals attach to it, whether it runs on Kafka Streams or not. All methods
 * may be called by any thread.
 */
public interface Service extends AutoCloseable {
  /**
   * Completes when it has ended or must end: with why, or with nothing if it was asked to. Nothing
   * but a new process can go on after that.
   */
  CompletableFuture<Optional<String>> ended();

  /**
   * Whether it is processing now, or stopped so recently that the tolerance has not passed, and its
   * output can be read.
   */
  boolean isReady();

  /** Its state and what keeps it from its work, in a few words, for operators. */
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
