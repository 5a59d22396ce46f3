package io.weir.edge;

import org.apache.kafka.common.errors.RetriableException;

/**
 * The way to the brokers for as long as nothing fails. Batches of a partition reach the topic in
 * the order in which they were handed over. After the first failure it sends nothing more: batches
 * that were under way may or may not have reached the topic, or still do, each partition's in
 * order. For one thread.
 */
interface BatchSender extends AutoCloseable {
  /** Receives the outcome of a batch, once, on any thread. */
  @FunctionalInterface
  interface Outcome {
    /**
     * @param failure null where the batch is acknowledged; a {@link BatchRefusedException} where
     *     the brokers do not take that batch
     */
    void accept(Exception failure);
  }

  /** Opens senders, each after the one before was closed. */
  @FunctionalInterface
  interface Factory {
    BatchSender open();
  }

  /**
   * Hands a batch over. May wait where brokers cannot be reached or buffers are full.
   *
   * @throws RuntimeException where it cannot be handed over: a failure like any other
   */
  void send(SequencedBatch batch, Outcome outcome);

  /**
   * Hands over a batch while nothing else of its partition is under way, and promises that nothing
   * will be until its outcome is reported. Where that is a {@link BatchRefusedException} or Kafka's
   * {@link RetriableException}, as when a partition has no leader, the sender goes on; otherwise
   * this is like {@link #send}.
   */
  default void sendAlone(SequencedBatch batch, Outcome outcome) {
    send(batch, outcome);
  }

  /** Whether it will still report outcomes; false where the thread that reports them has died. */
  default boolean isAlive() {
    return true;
  }

  /** Stops at once. The outcomes of everything handed over have been reported when it returns. */
  @Override
  void close();
}
