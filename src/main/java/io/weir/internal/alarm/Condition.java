package io.weir.internal.alarm;

import io.weir.internal.window.aggregate.Aggregate;
import io.weir.reading.Fnv1a;

/**
 * A limit, a deviation or silence in a rule, with a separate state for each sensor. A rule with
 * several limits has several conditions. Immutable.
 *
 * @param rule the name of its rule
 * @param sensors its sensors
 * @param limit the limit; for a deviation the number of standard deviations; for silence
 *     milliseconds
 * @param deadband distance on the good side of the limit that a window must have to clear the alarm
 * @param onDelayMs event time for which windows must exceed it
 * @param onDelayGapMs longest gap without windows within this time
 * @param priority 0 is the most urgent
 * @param atLeast for a deviation the smallest distance from the mean that counts; else 0
 * @param baseline for a deviation its baseline; else null
 */
public record Condition(
    String rule,
    Level level,
    SensorGlob sensors,
    double limit,
    double deadband,
    long onDelayMs,
    long onDelayGapMs,
    int priority,
    double atLeast,
    BaselineSpec baseline) {
  /** The result of comparing a window with a condition. */
  enum Finding {
    /** The limit is reached. */
    EXCEEDS,
    /** Neither. */
    BETWEEN,
    /** The complete window is on the good side of limit and deadband. */
    INSIDE
  }

  /** A finding with its numbers. */
  record Judgement(Finding finding, double limit, double value) {}

  /** Whether the condition applies to windows; otherwise it applies to silence. */
  boolean isOfWindows() {
    return level != Level.SILENT;
  }

  /** The duration of a condition of silence. */
  long silentAfterMs() {
    return (long) limit;
  }

  /** Compares a window with readings with a limit. */
  Judgement judge(Aggregate window) {
    if (level.isLow()) {
      Finding finding =
          window.min() <= limit
              ? Finding.EXCEEDS
              : window.min() > limit + deadband ? Finding.INSIDE : Finding.BETWEEN;
      return new Judgement(finding, limit, window.min());
    }
    Finding finding =
        window.max() >= limit
            ? Finding.EXCEEDS
            : window.max() < limit - deadband ? Finding.INSIDE : Finding.BETWEEN;
    return new Judgement(finding, limit, window.max());
  }

  /** Compares a window with readings with the sensor's past. */
  Judgement judge(Aggregate window, Baseline.Spread past) {
    double value = baseline.of().in(window);
    double distance = Math.abs(value - past.mean());
    double bound = Math.max(limit * past.deviation(), atLeast);
    if (!past.isEnough() || !Double.isFinite(distance) || !Double.isFinite(bound)) {
      return new Judgement(Finding.BETWEEN, limit, value);
    }
    Finding finding =
        distance > bound
            ? Finding.EXCEEDS
            : distance <= Math.max(0, bound - deadband) ? Finding.INSIDE : Finding.BETWEEN;
    return new Judgement(finding, past.mean() + (value < past.mean() ? -bound : bound), value);
  }

  /**
   * Whether an alarm that was raised by another limit meets this one; false for a deviation,
   * because it is unknown.
   *
   * @param value the value that raised it; for silence, its current duration
   */
  boolean stillHolds(double value) {
    return switch (level) {
      case LOW_LOW, LOW -> value <= limit;
      case HIGH, HIGH_HIGH, SILENT -> value >= limit;
      case DEVIATION -> false;
    };
  }

  /**
   * A hash that changes with the meaning of the condition, after which alarms must be judged again:
   * 64-bit FNV-1a of name, level, limit and baseline. Sensors, priority, deadband and delays do not
   * affect it.
   */
  public long fingerprint() {
    return Fnv1a.hash64(
        String.join(
            "\n",
            rule,
            level.text(),
            Double.toHexString(limit),
            Double.toHexString(atLeast),
            String.valueOf(baseline)));
  }
}
