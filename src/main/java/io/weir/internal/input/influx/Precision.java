package io.weir.internal.input.influx;

import io.weir.internal.input.http.RefusedRequestException;

/** What the timestamps of a request count. */
enum Precision {
  NS("n", "ns"),
  US("u", "us"),
  MS("ms", "ms"),
  S("s", "s"),
  M("m", "m"),
  H("h", "h");

  private static final long NANOS_OF_MS = 1_000_000;

  private final String symbol;
  private final String other;

  Precision(String symbol, String other) {
    this.symbol = symbol;
    this.other = other;
  }

  /**
   * The precision of a query's parameter.
   *
   * @param text empty for nanoseconds
   * @throws RefusedRequestException if there is none of that name
   */
  static Precision of(String text) {
    for (Precision each : values()) {
      if (text.isEmpty() || each.symbol.equals(text) || each.other.equals(text)) {
        return each;
      }
    }
    throw new RefusedRequestException("unknown precision; expected: n, ns, u, us, ms, s, m or h");
  }

  /**
   * The millisecond of a timestamp.
   *
   * @throws ArithmeticException if it does not fit
   */
  long millis(long timestamp) {
    return switch (this) {
      case NS -> Math.floorDiv(timestamp, NANOS_OF_MS);
      case US -> Math.floorDiv(timestamp, 1_000L);
      case MS -> timestamp;
      case S -> Math.multiplyExact(timestamp, 1_000L);
      case M -> Math.multiplyExact(timestamp, 60_000L);
      case H -> Math.multiplyExact(timestamp, 3_600_000L);
    };
  }

  /** The nanoseconds of a timestamp below its millisecond. */
  int nanosOfMs(long timestamp) {
    return switch (this) {
      case NS -> (int) Math.floorMod(timestamp, NANOS_OF_MS);
      case US -> 1_000 * (int) Math.floorMod(timestamp, 1_000L);
      default -> 0;
    };
  }
}
