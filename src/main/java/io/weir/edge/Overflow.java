package io.weir.edge;

/** What becomes of readings when there is no room for more. */
public enum Overflow {
  /** Offers are answered SUSPENDED until there is room. */
  SUSPEND,
  /** The oldest kept batches are dropped: counted here, and as lost batches by Weir. */
  DROP_OLDEST
}
