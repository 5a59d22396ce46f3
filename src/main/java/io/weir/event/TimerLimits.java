package io.weir.event;

/**
 * How much may wait to come due. Bytes are those that a timer takes in memory, nearly: its key and
 * id, its event, and {@link Timer#OVERHEAD_BYTES}. Of what a partition may hold, the second half is
 * for gateways that have no more than one of {@value #SHARES} parts of it.
 *
 * @param perKey most timers of one key
 * @param all most timers of a partition
 * @param bytesPerKey most bytes of the timers of one key
 * @param bytes most bytes of the timers of a partition
 */
public record TimerLimits(int perKey, int all, long bytesPerKey, long bytes) {
  /** Parts of a budget: a gateway above one of them pays first where there is no room. */
  static final int SHARES = 8;

  /** 10,000 and 16 MiB of a key, 1,000,000 and 256 MiB of a partition. */
  public static final TimerLimits DEFAULT = new TimerLimits(10_000, 1_000_000, 16 << 20, 256 << 20);

  public TimerLimits {
    if (perKey <= 0 || all <= 0 || bytesPerKey <= 0 || bytes <= 0) {
      throw new IllegalArgumentException("limits of timers must be positive");
    }
  }

  /** The same with other bytes for a partition. */
  public TimerLimits withBytes(long most) {
    return new TimerLimits(perKey, all, bytesPerKey, most);
  }
}
