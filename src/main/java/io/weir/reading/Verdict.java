package io.weir.reading;

/** The verdict on a reading, as a byte in a column. */
public final class Verdict {
  /** Accepted, and aggregated unless it turns out to be late. */
  public static final byte ACCEPTED = 0;

  /** Too late: its window is closed and the grace period is over. */
  public static final byte LATE = Byte.MAX_VALUE;

  /** The window may lack other readings. */
  public static final byte WITHHELD = rejected(RejectReason.WITHHELD);

  /** One more than any verdict but {@link #LATE}: the size of a table by reason. */
  public static final int REASONS = RejectReason.values().length + 1;

  private static final RejectReason[] BY_VERDICT = RejectReason.values();

  private Verdict() {}

  public static byte rejected(RejectReason reason) {
    return (byte) (reason.ordinal() + 1);
  }

  /** The reason of a verdict that rejects. */
  public static RejectReason reason(int verdict) {
    return BY_VERDICT[verdict - 1];
  }
}
