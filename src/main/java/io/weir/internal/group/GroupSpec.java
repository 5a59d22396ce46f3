package io.weir.internal.group;

/**
 * Emission times and limits of group windows. All times are log time, in milliseconds; all numbers
 * are positive.
 *
 * @param quietMs a window is emitted after this time without a change
 * @param holdMs at the latest it is emitted this time after the first change since its last
 *     emission
 * @param keepMs it is dropped this time after its last change
 * @param marksMs retention of the list of a group's dropped windows
 * @param maxSensors maximum number of sensors per window; others are rejected
 * @param maxBytes approximate maximum memory of a partition's windows; beyond it, the windows with
 *     the oldest last change are emitted and dropped
 */
public record GroupSpec(
    long quietMs, long holdMs, long keepMs, long marksMs, int maxSensors, long maxBytes) {
  /** 5 s, 1 m, 1 h, 30 d, 10,000 sensors, 128 MiB. */
  public static final GroupSpec DEFAULT =
      new GroupSpec(5_000, 60_000, 3_600_000, 30L * 86_400_000, 10_000, 128 << 20);

  public GroupSpec {
    if (quietMs <= 0 || holdMs <= 0 || keepMs <= 0 || marksMs <= 0) {
      throw new IllegalArgumentException("times of groups must be positive");
    }
    if (maxSensors <= 0 || maxBytes <= 0) {
      throw new IllegalArgumentException("limits of groups must be positive");
    }
  }
}
