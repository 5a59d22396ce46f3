package io.weir.internal.event;

/**
 * Limits of pending timers. Bytes are the approximate memory of a timer: its key and id, its event,
 * and {@link Timer#OVERHEAD_BYTES}. The second half of a partition's limit is reserved for gateways
 * that have at most one of {@value #SHARES} parts of it, and so is the second half of {@value
 * #MOST_REPEATS} repetitions in 1,000 s.
 *
 * @param perKey maximum number of timers of a key
 * @param all maximum number of timers of a partition
 * @param bytesPerKey maximum bytes of the timers of a key
 * @param bytes maximum bytes of the timers of a partition
 */
public record TimerLimits(int perKey, int all, long bytesPerKey, long bytes) {
  /** Parts of a budget: a gateway above one part is limited first. */
  static final int SHARES = 8;

  /**
   * How often events that repeat may be due in a partition, in 1,000 s: 10,000 each second. Each
   * KiB of an event counts.
   */
  static final long MOST_REPEATS = 10_000_000;

  /** 10,000 and 16 MiB of a key, 1,000,000 and 256 MiB of a partition. */
  public static final TimerLimits DEFAULT = new TimerLimits(10_000, 1_000_000, 16 << 20, 256 << 20);

  public TimerLimits {
    if (perKey <= 0 || all <= 0 || bytesPerKey <= 0 || bytes <= 0) {
      throw new IllegalArgumentException("limits of timers must be positive");
    }
  }

  /** The same with another limit of bytes per partition. */
  public TimerLimits withBytes(long most) {
    return new TimerLimits(perKey, all, bytesPerKey, most);
  }
}
