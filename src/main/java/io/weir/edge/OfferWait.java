package io.weir.edge;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for capacity in a full queue: retries every millisecond. Thread-safe. */
final class OfferWait {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private OfferWait() {}

  /**
   * Repeats a suspended offer until it is not suspended.
   *
   * @param endNanos when to give up, by {@link System#nanoTime}
   * @return the last result: SUSPENDED after the timeout
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

  /** Waits for a millisecond, but not beyond the end. */
  static void pause(long endNanos) {
    LockSupport.parkNanos(Math.min(endNanos - System.nanoTime(), PAUSE_NANOS));
  }
}
