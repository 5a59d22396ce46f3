package io.weir.internal.window;

/**
 * The settings of windows. All in milliseconds; inactivity is measured in log time ({@link
 * PartitionTime}).
 *
 * @param sizeMs length of a window; windows are aligned to the epoch
 * @param graceMs distance of the sensor's watermark past a window's end at which it closes
 * @param latenessMs further distance at which a closed window is dropped
 * @param idleTimeoutMs inactivity after which a sensor's windows are emitted without closing
 * @param idleRule which windows are emitted then
 * @param sensorTtlMs inactivity after which a sensor expires
 * @param markTtlMs further time for which the close time of an expired sensor is kept
 * @param statistics statistics besides count, sum, min and max
 * @param rollups sizes of rollups
 * @param hopping the sensors with hopping windows
 */
public record WindowSpec(
    long sizeMs,
    long graceMs,
    long latenessMs,
    long idleTimeoutMs,
    IdleRule idleRule,
    long sensorTtlMs,
    long markTtlMs,
    StatisticsPlan statistics,
    RollupPlan rollups,
    HoppingPlan hopping) {

  /** The windows of an idle sensor that are emitted. */
  public enum IdleRule {
    /** Windows whose end plus grace is before the append time of the current record. */
    ENDED,
    /** All windows, for a replay. */
    ALL
  }

  /** Time for which the mark of an expired sensor is kept: 30 days. */
  public static final long MARK_TTL_MS = 30L * 24 * 60 * 60 * 1000;

  public WindowSpec {
    boolean lengths = sizeMs > 0 && graceMs >= 0 && latenessMs >= 0;
    if (!lengths || idleTimeoutMs <= 0 || sensorTtlMs <= 0 || markTtlMs <= 0) {
      throw new IllegalArgumentException("window size " + sizeMs + " ms; expected: positive");
    }
  }

  /**
   * Windows without further statistics, rollups and hopping windows, with marks kept for {@link
   * #MARK_TTL_MS}.
   */
  public static WindowSpec of(
      long sizeMs,
      long graceMs,
      long latenessMs,
      long idleTimeoutMs,
      IdleRule idleRule,
      long sensorTtlMs) {
    return new WindowSpec(
        sizeMs,
        graceMs,
        latenessMs,
        idleTimeoutMs,
        idleRule,
        sensorTtlMs,
        MARK_TTL_MS,
        StatisticsPlan.NONE,
        RollupPlan.NONE,
        HoppingPlan.NONE);
  }

  /** The same windows with another retention of marks. */
  public WindowSpec withMarkTtlMs(long newMarkTtlMs) {
    return with(newMarkTtlMs, statistics, rollups, hopping);
  }

  /** The same windows with further statistics. */
  public WindowSpec with(StatisticsPlan plan) {
    return with(markTtlMs, plan, rollups, hopping);
  }

  /** The same windows with rollups. */
  public WindowSpec with(RollupPlan plan) {
    return with(markTtlMs, statistics, plan, hopping);
  }

  /** The same windows with hopping windows. */
  public WindowSpec with(HoppingPlan plan) {
    return with(markTtlMs, statistics, rollups, plan);
  }

  private WindowSpec with(
      long newMarkTtlMs,
      StatisticsPlan newStatistics,
      RollupPlan newRollups,
      HoppingPlan newHopping) {
    return new WindowSpec(
        sizeMs,
        graceMs,
        latenessMs,
        idleTimeoutMs,
        idleRule,
        sensorTtlMs,
        newMarkTtlMs,
        newStatistics,
        newRollups,
        newHopping);
  }

  /** Whether any sensor has spans longer than windows. */
  boolean hasWideSpans() {
    return rollups.isOn() || hopping.isOn();
  }

  /** Whether a sensor has spans longer than windows. */
  boolean hasWideSpans(byte[] sensorId) {
    return rollups.isOn() || hopping.lengthMs(sensorId) > 0;
  }

  /** The start of the window of an event time. */
  public long startOf(long timestampMs) {
    return timestampMs - Math.floorMod(timestampMs, sizeMs);
  }

  /** Windows that end at or before this are closed under a watermark. */
  long closedThrough(long watermarkMs) {
    return saturatedDifference(watermarkMs, graceMs);
  }

  /** Windows that end at or before this are evicted under a watermark. */
  long evictedThrough(long watermarkMs) {
    return saturatedDifference(closedThrough(watermarkMs), latenessMs);
  }

  /** The sum; Long.MAX_VALUE on overflow. */
  public static long saturatedSum(long timeMs, long positive) {
    long sum = timeMs + positive;
    return sum < timeMs ? Long.MAX_VALUE : sum;
  }

  /** The difference; Long.MIN_VALUE on overflow. */
  static long saturatedDifference(long a, long positive) {
    long difference = a - positive;
    return difference > a ? Long.MIN_VALUE : difference;
  }
}
