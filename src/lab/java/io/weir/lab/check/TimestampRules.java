package io.weir.lab.check;

import java.time.Duration;
import java.util.Optional;

/** Times that a gateway sets, compared with the latest append time. */
final class TimestampRules {
  static final long MAX_AHEAD_MS = Duration.ofMinutes(5).toMillis();

  /** March 1973 in milliseconds; in seconds, the year 5138. Nobody measures then. */
  private static final long LIKELY_SECONDS = 100_000_000_000L;

  private static final long DAY_MS = Duration.ofDays(1).toMillis();

  private TimestampRules() {}

  /** Why a reading's time is none to be accepted; empty where it is one. */
  static Optional<String> fault(long timestampMs, long latestMs) {
    if (timestampMs <= 0) {
      return Optional.of("timestamp_ms " + timestampMs + " is not above 0");
    }
    if (timestampMs < LIKELY_SECONDS) {
      return Optional.of("timestamp_ms " + timestampMs + ": these look like seconds");
    }
    if (timestampMs - MAX_AHEAD_MS <= latestMs) {
      return Optional.empty();
    }
    return Optional.of("timestamp_ms " + timestampMs + unitOrClock(timestampMs, latestMs));
  }

  private static String unitOrClock(long timestampMs, long latestMs) {
    if (timestampMs / 1_000_000 > LIKELY_SECONDS) {
      return ": these look like nanoseconds";
    }
    if (timestampMs / 1_000 > LIKELY_SECONDS) {
      return ": these look like microseconds";
    }
    return " is " + ahead(timestampMs - latestMs) + " ahead of the broker's clock";
  }

  /** A distance in the unit that a person would take. */
  static String ahead(long ms) {
    return ms < DAY_MS ? ms / 1000 + " s" : ms / DAY_MS + " days";
  }
}
