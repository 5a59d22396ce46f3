package io.weir.cli.plan;

import io.weir.topology.EarlyCommits;
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
 * @param commitMs kafka.commit.interval.ms: between two commits where nothing was emitted
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
          "expected: a rate above 0, 1 sensor or more and a period above 0");
    }
    if (replicas < 1 || brokers < replicas) {
      throw new IllegalArgumentException(
          replicas + " replicas need as many brokers or more, not " + brokers);
    }
  }

  /**
   * Between two commits, in the mean. After the end of a window its sensors close it one after
   * another for as long as their period lasts; in that time commits come early ({@link
   * EarlyCommits}): a burst, and then each wait and once more each two. Kafka Streams counts its
   * interval from the commits before that nobody asked for.
   */
  double betweenCommitsMs() {
    double waitMs = EarlyCommits.waitMs(Math.round(commitMs));
    double apartMs = waitMs / EarlyCommits.APART;
    double closingMs = Math.min(periodMs, windowMs);
    double burstMs = Math.min(closingMs, apartMs * EarlyCommits.BURST);
    double oftenMs = waitMs * EarlyCommits.WAITS_EACH / (EarlyCommits.WAITS_EACH + 1);
    return windowMs / (burstMs / apartMs + (closingMs - burstMs) / oftenMs + windowMs / commitMs);
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
