package io.weir.collect;

import io.weir.app.Rate;
import java.math.BigInteger;
import java.util.concurrent.TimeUnit;

/**
 * How many rows may leave: a bucket that holds {@code burst} tokens and fills at the rate. In any
 * span of the rate's unit, its end left out, no more leave than the rate's rows and burst - 1. It
 * begins empty, or goes on from one that was kept. Not safe for several threads.
 */
final class Budget {
  private final long rows;
  private final long unitNanos;
  private final long burst;
  private long tokens;

  /** Since when the next token has been filling. */
  private long sinceNanos;

  /**
   * @param nowNanos of a clock that never goes back, as everywhere here
   */
  Budget(Rate rate, long burst, long nowNanos) {
    this.rows = rate.rows();
    this.unitNanos = rate.unit().toNanos();
    this.burst = burst;
    this.sinceNanos = nowNanos;
  }

  /**
   * A bucket as it is kept.
   *
   * @param ageMicros since when the next token has been filling
   */
  record Bucket(long tokens, long ageMicros) {}

  /** Goes on from a bucket that was kept, with what has filled since. */
  void restore(Bucket kept, long nowNanos) {
    tokens = Math.max(0, Math.min(kept.tokens(), burst));
    // A span beyond this fills any bucket, and the difference of times stays within 64 bits.
    long ageMicros = Math.max(0, Math.min(kept.ageMicros(), TimeUnit.DAYS.toMicros(30_000)));
    sinceNanos = nowNanos - TimeUnit.MICROSECONDS.toNanos(ageMicros);
  }

  /** The bucket after so many leave. */
  Bucket after(long count, long nowNanos) {
    long left = available(nowNanos) - count;
    return new Bucket(left, TimeUnit.NANOSECONDS.toMicros(nowNanos - sinceNanos));
  }

  /** How many may leave now. */
  long available(long nowNanos) {
    long elapsed = nowNanos - sinceNanos;
    // Beyond this the bucket is full in any case, and the product stays within 64 bits.
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

  /** Rounded up: never early. */
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
   * So many leave.
   *
   * @param count at most {@link #available}
   */
  void take(long count) {
    tokens -= count;
  }

  /** Nanoseconds until one may leave; 0 if one may now. */
  long nextInNanos(long nowNanos) {
    return inNanos(1, nowNanos);
  }

  /** Nanoseconds until so many may leave; 0 if they may now. */
  long inNanos(long count, long nowNanos) {
    long missing = count - available(nowNanos);
    return missing <= 0 ? 0 : Math.max(1, sinceNanos + nanosOf(missing) - nowNanos);
  }
}
