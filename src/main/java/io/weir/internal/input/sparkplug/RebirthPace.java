package io.weir.internal.input.sparkplug;

import java.util.concurrent.TimeUnit;

/** How often an edge node may be asked for its births. Not thread-safe. */
final class RebirthPace {
  /** Requests without a time of order between them that suggest two edge nodes of one name. */
  static final int SUSPICIOUS = 5;

  private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(30);
  private static final int ORDERLY_MESSAGES = 100;

  private long pauseNanos;
  private long lastNanos;
  private int inARow;
  private int inOrder;

  boolean isDue(long nowNanos) {
    return pauseNanos == 0 || nowNanos - lastNanos >= pauseNanos;
  }

  /** It was asked. */
  void asked(long nowNanos) {
    lastNanos = nowNanos;
    pauseNanos = pauseNanos == 0 ? FIRST_NANOS : Math.min(LONGEST_NANOS, 2 * pauseNanos);
    inARow++;
    inOrder = 0;
  }

  /** It has sent a message in order. */
  void inOrder() {
    inOrder++;
    if (inOrder == ORDERLY_MESSAGES) {
      pauseNanos = Math.min(pauseNanos, FIRST_NANOS);
      inARow = 0;
    }
  }

  /** It has sent one out of order. */
  void outOfOrder() {
    inOrder = 0;
  }

  boolean isSuspicious() {
    return inARow == SUSPICIOUS;
  }
}
