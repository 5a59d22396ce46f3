package io.weir.edge;

import org.apache.kafka.common.errors.RetriableException;

/**
 * Sends batches to the brokers until the first failure. Batches of a partition reach the topic in
 * the order in which they were passed. After a failure nothing more is sent; batches in flight may
 * or may not reach the topic, in order within each partition. Not thread-safe.
 */
interface BatchSender extends AutoCloseable {
  /** Receives the outcome of a batch, once, on any thread. */
  @FunctionalInterface
  interface Outcome {
    /**
     * @param failure null if the batch is acknowledged; a {@link BatchRefusedException} if the
     *     brokers reject that batch
     */
    void accept(Exception failure);
  }

  /** Opens senders, each after the previous one was closed. */
  @FunctionalInterface
  interface Factory {
    BatchSender open();
  }

  /**
   * Sends a batch. May block while brokers cannot be reached or buffers are full.
   *
   * @throws RuntimeException if it cannot be sent: a failure like any other
   */
  void send(SequencedBatch batch, Outcome outcome);

  /**
   * Sends a batch while nothing else of its partition is in flight; the caller sends nothing of the
   * partition until the outcome is reported. A {@link BatchRefusedException} or Kafka's {@link
   * RetriableException}, as when a partition has no leader, does not end the sender; otherwise this
   * is like {@link #send}.
   */
  default void sendAlone(SequencedBatch batch, Outcome outcome) {
    send(batch, outcome);
  }

  /** Whether it will still report outcomes; false if the thread that reports them has died. */
  default boolean isAlive() {
    return true;
  }

  /** Stops immediately. When it returns, the outcomes of all sent batches have been reported. */
  @Override
  void close();
}
