package io.weir.edge;

/** Wakes the sender for what was accepted, as far as that is needed. For any thread. */
record Arrivals(QueueLimit limit, Wakeup wakeup) {
  /** What an append means for the caller of an offer. */
  Offer answer(BatchAccumulator.Appended appended) {
    switch (appended) {
      case FILLED -> wakeup.wake();
      case STARTED -> wakeup.wakeIfIdle();
      case ADDED, MERGED -> wakeToDrop();
      case CLOSED -> {
        return Offer.CLOSED;
      }
      case OVER_ITS_SHARE -> {
        return Offer.SUSPENDED;
      }
    }
    return Offer.ACCEPTED;
  }

  /** The sender makes room where the oldest are dropped for it. */
  void wakeToDrop() {
    if (limit.isDropping()) {
      wakeup.wake();
    }
  }
}
