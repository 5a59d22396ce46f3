package io.weir.internal.collect;

import io.weir.internal.app.Rate;
import java.math.BigInteger;
import java.util.concurrent.TimeUnit;

/**
 * A token bucket for sent rows: it holds {@code burst} tokens and fills at the rate. In any
 * half-open interval of the rate's unit at most rate + burst - 1 rows are sent. It starts empty, or
 * from a stored bucket. Not safe for several threads.
 */
final class Budget {
  private final long rows;
  private final long unitNanos;
  private final long burst;
  private long tokens;

  /** Start of the interval that fills the next token. */
  private long sinceNanos;

  /**
   * @param nowNanos a monotonic clock, as in all methods here
   */
  Budget(Rate rate, long burst, long nowNanos) {
    this.rows = rate.rows();
    this.unitNanos = rate.unit().toNanos();
    this.burst = burst;
    this.sinceNanos = nowNanos;
  }

  /**
   * A stored bucket.
   *
   * @param ageMicros time for which the next token has been filling
   */
  record Bucket(long tokens, long ageMicros) {}

  /** Restores a stored bucket. */
  void restore(Bucket kept, long nowNanos) {
    tokens = Math.max(0, Math.min(kept.tokens(), burst));
    // A longer interval fills any bucket, and the time difference fits into 64 bits.
    long ageMicros = Math.max(0, Math.min(kept.ageMicros(), TimeUnit.DAYS.toMicros(30_000)));
    sinceNanos = nowNanos - TimeUnit.MICROSECONDS.toNanos(ageMicros);
  }

  /** The bucket after this number of rows. */
  Bucket after(long count, long nowNanos) {
    long left = available(nowNanos) - count;
    return new Bucket(left, TimeUnit.NANOSECONDS.toMicros(nowNanos - sinceNanos));
  }

  /** The number of rows that may be sent now. */
  long available(long nowNanos) {
    long elapsed = nowNanos - sinceNanos;
    // Above this the bucket is full in any case; the product fits into 64 bits.
    double filled = (double) elapsed / unitNanos * rows;
    if (filled >= burst - tokens + 1) {
      tokens = burst;
      sinceNanos = nowNanos;
      return tokens;
    }
    long whole = (long) filled;
    while (whole > 0 && nanosOf(whole) > elapsed) {
      whole--;
    }
    tokens += whole;
    sinceNanos += nanosOf(whole);
    if (tokens >= burst) {
      tokens = burst;
      sinceNanos = nowNanos;
    }
    return tokens;
  }

  /** Rounds up, so that it is never early. */
  private long nanosOf(long count) {
    if (Math.multiplyHigh(count, unitNanos) == 0 && count * unitNanos >= 0) {
      return (count * unitNanos + rows - 1) / rows;
    }
    return BigInteger.valueOf(count)
        .multiply(BigInteger.valueOf(unitNanos))
        .add(BigInteger.valueOf(rows - 1))
        .divide(BigInteger.valueOf(rows))
        .longValueExact();
  }

  /**
   * Removes tokens.
   *
   * @param count at most {@link #available}
   */
  void spend(long count) {
    tokens -= count;
  }

  /** Nanoseconds until one row may be sent; 0 if now. */
  long nextInNanos(long nowNanos) {
    return inNanos(1, nowNanos);
  }

  /** Nanoseconds until this number of rows may be sent; 0 if now. */
  long inNanos(long count, long nowNanos) {
    long missing = count - available(nowNanos);
    return missing <= 0 ? 0 : Math.max(1, sinceNanos + nanosOf(missing) - nowNanos);
  }
}
