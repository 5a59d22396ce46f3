package io.weir.cli.plan;

import io.weir.internal.topology.CommitPace;
import java.util.List;

/**
 * The load, and the settings of Weir and Kafka for it. Times are in milliseconds.
 *
 * @param rate readings per second
 * @param sensors number of sensors
 * @param periodMs sending interval of a sensor: if it is longer than the interval of readings, it
 *     sends several at a time
 * @param windowMs size of the base windows
 * @param latenessMs retention of a closed window for amendment
 * @param rollupsMs sizes of the rollups
 * @param statistics additional bytes of a window
 * @param commitMs kafka.commit.interval.ms: time between two commits without emissions
 * @param retentionMs retention of weir.readings
 * @param retentionBytes retention of weir.readings, per partition and replica
 * @param windowsRetentionMs retention of weir.windows
 * @param windowsRetentionBytes retention of weir.windows, per partition and replica
 * @param replicas replicas of each topic
 * @param standbys standby replicas of each partition's state
 * @param sessionMs consumer session timeout
 * @param threadsPerPod stream threads
 * @param podBytes the memory limit of a pod
 * @param pods number of pods; 0 for as many as needed
 * @param jobs other workloads
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
          replicas + " replicas need at least as many brokers; brokers = " + brokers);
    }
  }

  /**
   * Mean time between two commits. After the end of a window its sensors close it one after another
   * during their period; in that time commits are early ({@link CommitPace}): a burst, then one for
   * each wait, and one more for each two. Kafka Streams counts its interval from the last regular
   * commit.
   */
  double betweenCommitsMs() {
    double waitMs = CommitPace.waitMs(Math.round(commitMs));
    double apartMs = waitMs / CommitPace.APART;
    double closingMs = Math.min(periodMs, windowMs);
    double burstMs = Math.min(closingMs, apartMs * CommitPace.BURST);
    double oftenMs = waitMs * CommitPace.WAITS_EACH / (CommitPace.WAITS_EACH + 1);
    return windowMs / (burstMs / apartMs + (closingMs - burstMs) / oftenMs + windowMs / commitMs);
  }

  /** Readings of a sensor in a batch. */
  double run() {
    return Math.max(1, rate / sensors * periodMs / 1000);
  }

  /** Closed windows of a sensor that are retained for amendment. */
  double keptWindows() {
    return Math.ceil(latenessMs / windowMs);
  }
}
