package io.weir.edge;

/** The policy for readings when the queue or the disk limit is full. */
public enum Overflow {
  /** Offers return SUSPENDED until capacity is free. */
  SUSPEND,
  /**
   * The oldest batches that are not in flight are dropped, on disk with {@code keepIn}, else in
   * memory. {@link PublisherMetrics#DROPPED} counts them, and the application counts them as lost
   * batches; their acknowledgements are never called. Offers return SUSPENDED only if they are
   * faster than the publisher's thread can drop.
   */
  DROP_OLDEST
}
