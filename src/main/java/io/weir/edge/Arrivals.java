package io.weir.edge;

/** Reserves queue capacity for offers and wakes the sender thread when necessary. Thread-safe. */
record Arrivals(QueueLimit limit, Wakeup wakeup) {
  /**
   * Reserves capacity. If the queue is full and its policy is DROP_OLDEST, wakes the sender to
   * drop.
   */
  boolean acquire(long cost) {
    boolean acquired = limit.tryAcquire(cost);
    if (!acquired) {
      wakeToDrop();
    }
    return acquired;
  }

  /**
   * Releases the reserved capacity unless the offer uses it.
   *
   * @param appended null if the append threw
   */
  void releaseUnlessTaken(BatchAccumulator.Appended appended, long cost) {
    if (appended == null || !appended.takesRoom()) {
      limit.release(cost);
    }
  }

  /** Converts the result of an append to the result of an offer. */
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
