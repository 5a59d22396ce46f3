package io.weir.edge;

/** What becomes of readings when there is no room for more. */
public enum Overflow {
  /** Offers answer SUSPENDED until there is room. */
  SUSPEND,
  /**
   * The oldest batches are dropped, on disk with {@code keepIn}, in memory without it; what is in
   * flight is not. They are counted in {@link PublisherMetrics#DROPPED}, and by the application as
   * lost batches; their acknowledgements are never called. Offers answer SUSPENDED only where they
   * come faster than the publisher's thread can drop.
   */
  DROP_OLDEST
}
