package io.weir.cli.plan;

import java.util.List;

/**
 * The load, and how Weir and Kafka are set for it. Times in milliseconds.
 *
 * @param rate readings a second
 * @param sensors that give them
 * @param periodMs how often a sensor sends: where it is longer than one reading lasts, its readings
 *     come several at a time
 * @param windowMs of the base windows
 * @param latenessMs how long a closed window is kept for amendment
 * @param rollupsMs sizes of the rollups
 * @param statistics what they add to a window
 * @param commitMs between two commits
 * @param retentionMs of weir.readings
 * @param retentionBytes of weir.readings, a partition and replica
 * @param windowsRetentionMs of weir.windows
 * @param windowsRetentionBytes of weir.windows, a partition and replica
 * @param replicas of each topic
 * @param standbys of each partition's state
 * @param sessionMs after which a process that is gone is given up
 * @param threadsPerPod stream threads
 * @param podBytes the memory limit of a pod
 * @param pods how many there are; 0 for as many as are needed
 * @param jobs what else there is
 */
public record PlanInput(
    double rate,
    double sensors,
    double periodMs,
    double windowMs,
    double latenessMs,
    List<Long> rollupsMs,
    StatisticsCost statistics,
    double commitMs,
    double retentionMs,
    double retentionBytes,
    double windowsRetentionMs,
    double windowsRetentionBytes,
    int replicas,
    int brokers,
    int standbys,
    double sessionMs,
    int threadsPerPod,
    double podBytes,
    int pods,
    PlannedJobs jobs) {
  public PlanInput {
    rollupsMs = List.copyOf(rollupsMs);
    if (!(rate > 0) || !(sensors >= 1) || !(periodMs > 0)) {
      throw new IllegalArgumentException(
          "allowed are a rate above 0, 1 sensor or more and a period above 0");
    }
    if (replicas < 1 || brokers < replicas) {
      throw new IllegalArgumentException(
          replicas + " replicas need as many brokers or more, not " + brokers);
    }
  }

  /** Readings of a sensor that are together in a batch. */
  double run() {
    return Math.max(1, rate / sensors * periodMs / 1000);
  }

  /** Closed windows of a sensor that are kept for amendment. */
  double keptWindows() {
    return Math.ceil(latenessMs / windowMs);
  }
}
