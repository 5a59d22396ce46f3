package io.weir.edge;

import java.time.Duration;

/** The defaults, minima and maxima of {@link PublisherSettings}. */
public final class PublisherBounds {
  /** In UTF-8 bytes; {@link PublisherSettings#maxIdBytes} may be a smaller maximum. */
  public static final int MAX_GATEWAY_ID_BYTES = 256;

  public static final int DEFAULT_BATCH_MAX_READINGS = 1_000;
  public static final int MIN_BATCH_MAX_READINGS = 1;

  public static final Duration DEFAULT_FLUSH_INTERVAL = Duration.ofMillis(20);
  public static final Duration MIN_FLUSH_INTERVAL = Duration.ZERO;
  public static final Duration MAX_FLUSH_INTERVAL = Duration.ofHours(1);

  public static final int DEFAULT_QUEUE_CAPACITY = 1_000_000;
  public static final int MIN_QUEUE_CAPACITY = 1;
  public static final int MAX_QUEUE_CAPACITY = Integer.MAX_VALUE;

  /** Minimum, in bytes of unacknowledged readings; the default is a quarter of the heap. */
  public static final long MIN_QUEUE_CAPACITY_BYTES = 64 << 10;

  public static final int DEFAULT_SUSPEND_THRESHOLD_PERCENT = 99;
  public static final int MIN_SUSPEND_THRESHOLD_PERCENT = 1;
  public static final int MAX_SUSPEND_THRESHOLD_PERCENT = 100;

  public static final long DEFAULT_KEEP_MAX_BYTES = 10L << 30;
  public static final long MIN_KEEP_MAX_BYTES = 1 << 20;

  /** Minimum, in readings per second; by default there is no limit. */
  public static final long MIN_KEEP_REPLAY_RATE = 1;

  /** The default policy for a full queue. */
  public static final Overflow DEFAULT_OVERFLOW = Overflow.SUSPEND;

  private PublisherBounds() {}
}
