package io.weir.keyed;

/**
 * The position of an event on its topic. It is unique and the same at each attempt, so its text is
 * an idempotency key for requests to other systems.
 *
 * @param topic the topic of events
 * @param partition its partition there
 * @param offset of its batch
 * @param index its place in the batch, from 0
 */
public record EventOrigin(String topic, int partition, long offset, int index) {
  /** Such as {@code weir.events-17-4711-0}. */
  @Override
  public String toString() {
    return topic + "-" + partition + "-" + offset + "-" + index;
  }
}
