package io.weir.edge;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for room in a queue that is full: tries again each millisecond. For any thread. */
final class OfferWait {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private OfferWait() {}

  /**
   * Offers again, after an offer that was suspended, until there is room.
   *
   * @param endNanos when to give up, by {@link System#nanoTime}
   * @return the last answer: SUSPENDED where there was no room in all that time
   */
  static Offer untilRoom(Supplier<Offer> offer, long endNanos) throws InterruptedException {
    Offer answer = Offer.SUSPENDED;
    while (answer == Offer.SUSPENDED && System.nanoTime() - endNanos < 0) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      pause(endNanos);
      answer = offer.get();
    }
    return answer;
  }

  /** Waits for a millisecond; shorter where that is the end, and not where it is over. */
  static void pause(long endNanos) {
    LockSupport.parkNanos(Math.min(endNanos - System.nanoTime(), PAUSE_NANOS));
  }
}
