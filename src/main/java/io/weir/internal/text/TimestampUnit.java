package io.weir.internal.text;

/** What the timestamps of line protocol count, since the Unix epoch. */
public enum TimestampUnit {
  NANOSECONDS("ns", 1_000_000, 1),
  MICROSECONDS("us", 1_000, 1),
  MILLISECONDS("ms", 1, 1),
  SECONDS("s", 1, 1_000);

  private final String symbol;
  private final long perMillisecond;
  private final long milliseconds;

  TimestampUnit(String symbol, long perMillisecond, long milliseconds) {
    this.symbol = symbol;
    this.perMillisecond = perMillisecond;
    this.milliseconds = milliseconds;
  }

  /** As one types it. */
  public String symbol() {
    return symbol;
  }

  /**
   * The millisecond in which the timestamp lies.
   *
   * @throws ArithmeticException where it does not fit into 64 bits
   */
  long toMillis(long timestamp) {
    return Math.multiplyExact(Math.floorDiv(timestamp, perMillisecond), milliseconds);
  }
}
