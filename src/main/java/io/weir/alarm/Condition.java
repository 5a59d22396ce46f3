package io.weir.alarm;

import io.weir.reading.Fnv1a;
import io.weir.window.aggregate.Aggregate;

/**
 * One thing that a rule watches for, with a state of its own for each sensor: a limit, a deviation,
 * or silence. A rule with several limits is several conditions. Immutable.
 *
 * @param rule the name of its rule
 * @param sensors which sensors it is for
 * @param limit the limit; of a deviation how many standard deviations; of silence milliseconds
 * @param deadband how far on the good side of the limit a window must be to clear the alarm
 * @param onDelayMs how long, in the sensor's event time, windows must exceed it
 * @param onDelayGapMs how long of this may be without windows at a time
 * @param priority 0 is the most urgent
 * @param atLeast of a deviation the smallest distance from the mean that counts; else 0
 * @param baseline of a deviation; else null
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
  /** What a window says of a condition. */
  enum Finding {
    /** The limit is reached. */
    EXCEEDS,
    /** Neither. */
    BETWEEN,
    /** All of the window is on the good side of limit and deadband. */
    INSIDE
  }

  /** A finding with the numbers behind it. */
  record Judgement(Finding finding, double limit, double value) {}

  /** Whether the condition applies to windows; otherwise it applies to silence. */
  boolean isOfWindows() {
    return level != Level.SILENT;
  }

  /** Of a condition of silence, how long. */
  long silentAfterMs() {
    return (long) limit;
  }

  /** Holds a window with readings against a limit. */
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

  /** Holds a window with readings against the sensor's past. */
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
   * Whether an alarm that another limit raised still holds by this one; of a deviation nobody
   * knows.
   *
   * @param value the value that raised it; of silence, how long it is now
   */
  boolean stillHolds(double value) {
    return switch (level) {
      case LOW_LOW, LOW -> value <= limit;
      case HIGH, HIGH_HIGH, SILENT -> value >= limit;
      case DEVIATION -> false;
    };
  }

  /**
   * A number that is another one where the condition means something else, so that what was judged
   * by it has to be judged again: 64-bit FNV-1a of its name, its level, its limit and its baseline.
   * Sensors, priority, deadband and delays may change without.
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
