package io.weir.window;

/**
 * How windows are cut, closed, kept and forgotten. All in milliseconds; silence is measured in log
 * time ({@link PartitionTime}).
 *
 * @param sizeMs length of a window; windows are aligned to the epoch
 * @param graceMs how far past a window's end its sensor's watermark moves before it closes
 * @param latenessMs how much further until a closed window is dropped
 * @param idleTimeoutMs silence after which a sensor's windows are emitted as they are
 * @param idleRule which of them
 * @param sensorTtlMs silence after which a sensor leaves the state
 * @param markTtlMs how much longer the time up to which its windows were closed is kept
 * @param statistics what is computed beside count, sum, min and max
 * @param rollups larger spans that windows are put together to
 * @param hopping which sensors have hopping windows
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

  /** Which windows of a silent sensor are emitted. */
  public enum IdleRule {
    /** Those whose end and grace the append time of the record at hand has passed. */
    ENDED,
    /** All: for a replay, which waits for nothing more. */
    ALL
  }

  /** How long the mark of a forgotten sensor is kept: 30 days. */
  public static final long MARK_TTL_MS = 30L * 24 * 60 * 60 * 1000;

  public WindowSpec {
    boolean lengths = sizeMs > 0 && graceMs >= 0 && latenessMs >= 0;
    if (!lengths || idleTimeoutMs <= 0 || sensorTtlMs <= 0 || markTtlMs <= 0) {
      throw new IllegalArgumentException("not a window: " + sizeMs + " ms");
    }
  }

  /**
   * Windows without statistics beside count, sum, min and max, rollups and hopping windows, whose
   * marks are kept for {@link #MARK_TTL_MS}.
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

  /** The same windows with marks that are kept so long. */
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

  /** A time so long after another; Long.MAX_VALUE where that is beyond what a long holds. */
  public static long saturatedSum(long timeMs, long positive) {
    long sum = timeMs + positive;
    return sum < timeMs ? Long.MAX_VALUE : sum;
  }

  /** A time so long before another; Long.MIN_VALUE where that is beyond what a long holds. */
  static long saturatedDifference(long a, long positive) {
    long difference = a - positive;
    return difference > a ? Long.MIN_VALUE : difference;
  }
}
