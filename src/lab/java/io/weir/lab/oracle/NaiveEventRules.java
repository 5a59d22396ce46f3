package io.weir.lab.oracle;

/**
 * What events, folds and windows of groups are held to. Milliseconds, durations in log time.
 *
 * @param foldQuietMs a fold ends so long after its last event
 * @param foldHoldMs and so long after its first one
 * @param foldMaxFields and before an event that would bring it beyond so many
 * @param groupSizeMs length of the windows of groups
 * @param groupPart which part of a sensor's id between slashes is its group, from 1
 * @param groupQuietMs a window of a group is emitted so long after its last change
 * @param groupHoldMs and so long after the first one since it was last emitted
 * @param groupKeepMs and is dropped so long after its last change
 * @param gateways what is accepted of gateways
 * @param oneClock whether all brokers have the same clock, so that append times of two topics may
 *     be compared
 */
public record NaiveEventRules(
    long foldQuietMs,
    long foldHoldMs,
    int foldMaxFields,
    long groupSizeMs,
    int groupPart,
    long groupQuietMs,
    long groupHoldMs,
    long groupKeepMs,
    NaiveRules gateways,
    boolean oneClock) {
  /** Log time that passes between two records of the events at the most. */
  long longestFoldGapMs() {
    return Math.max(foldQuietMs, foldHoldMs);
  }

  /** The group of a sensor: that part of its id, or all of it where there is none. */
  String groupOf(String sensorId) {
    String[] parts = sensorId.split("/", -1);
    boolean has = groupPart <= parts.length && !parts[groupPart - 1].isEmpty();
    return has ? parts[groupPart - 1] : sensorId;
  }

  /** Log time that passes between two parts of groups at the most. */
  long longestGroupGapMs() {
    return Math.max(groupQuietMs, groupHoldMs);
  }
}
