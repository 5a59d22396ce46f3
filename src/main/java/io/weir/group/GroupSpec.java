package io.weir.group;

/**
 * When summaries of groups are emitted, and how much is kept for them. All times are log time, in
 * milliseconds; all numbers are positive.
 *
 * @param quietMs a window is emitted after so long without a change
 * @param holdMs and so long after the first change since it was last emitted
 * @param keepMs it is dropped so long after its last change
 * @param marksMs so long it is known of a group which of its windows were dropped
 * @param maxSensors most sensors of a window; others are not taken
 * @param maxBytes most bytes of memory of a partition's windows, nearly; beyond them those that did
 *     not change for longest are emitted and dropped
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
