package io.weir.edge;

/**
 * Room of the queue for what is offered, and waking the sender for what was accepted, as far as
 * that is needed. For any thread.
 */
record Arrivals(QueueLimit limit, Wakeup wakeup) {
  /** Takes room; where there is none, the sender makes some if the oldest are dropped for it. */
  boolean acquire(long cost) {
    boolean acquired = limit.tryAcquire(cost);
    if (!acquired) {
      wakeToDrop();
    }
    return acquired;
  }

  /**
   * Gives the room back, unless what was offered keeps it.
   *
   * @param appended null where the append threw
   */
  void releaseUnlessTaken(BatchAccumulator.Appended appended, long cost) {
    if (appended == null || !appended.takesRoom()) {
      limit.release(cost);
    }
  }

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

  private void wakeToDrop() {
    if (limit.isDropping()) {
      wakeup.wake();
    }
  }
}
