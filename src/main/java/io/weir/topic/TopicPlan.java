package io.weir.topic;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.config.TopicConfig;

/** The topics of Weir as they are to be on a cluster. */
public final class TopicPlan {
  /** Of the readings topic, 500 GiB over all of its partitions. */
  static final long READINGS_RETENTION_BYTES_PER_PARTITION = 8_388_608_000L;

  /** An original of 1 MiB fits into a dead letter together with its headers. */
  static final int REJECTS_MAX_MESSAGE_BYTES = 2 << 20;

  private static final int REPLICATED_FROM_BROKERS = 3;

  private TopicPlan() {}

  /**
   * The four topics, readings first.
   *
   * @param brokers how many the cluster has: from three on, topics are replicated
   */
  public static List<TopicSettings> of(TopicNames names, int brokers) {
    boolean replicated = brokers >= REPLICATED_FROM_BROKERS;
    short replicas = (short) (replicated ? 3 : 1);
    String minInSync = replicated ? "2" : "1";
    return List.of(
        settings(
            names.readings(),
            replicas,
            minInSync,
            Duration.ofHours(72),
            Map.of(
                TopicConfig.RETENTION_BYTES_CONFIG,
                Long.toString(READINGS_RETENTION_BYTES_PER_PARTITION))),
        settings(names.windows(), replicas, minInSync, Duration.ofDays(30), Map.of()),
        settings(names.late(), replicas, minInSync, Duration.ofDays(14), roomy()),
        settings(names.deadLetters(), replicas, minInSync, Duration.ofDays(14), roomy()));
  }

  /**
   * The topic that holds which letters of another were sent again: kept for ever, as it is small
   * and the letters' retention is the shop's to change.
   */
  static TopicSettings redriven(String letters, int brokers) {
    boolean replicated = brokers >= REPLICATED_FROM_BROKERS;
    return new TopicSettings(
        TopicNames.redriven(letters),
        1,
        (short) (replicated ? 3 : 1),
        Map.of(
            TopicConfig.CLEANUP_POLICY_CONFIG,
            TopicConfig.CLEANUP_POLICY_DELETE,
            TopicConfig.RETENTION_MS_CONFIG,
            "-1",
            TopicConfig.RETENTION_BYTES_CONFIG,
            "-1",
            TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
            replicated ? "2" : "1"));
  }

  private static Map<String, String> roomy() {
    return Map.of(
        TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(REJECTS_MAX_MESSAGE_BYTES));
  }

  private static TopicSettings settings(
      String name, short replicas, String minInSync, Duration retention, Map<String, String> more) {
    Map<String, String> config = new TreeMap<>(more);
    // Event time lives in the payload: retention must not see it, and no gateway may set this one.
    config.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
    config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
    config.put(TopicConfig.RETENTION_MS_CONFIG, Long.toString(retention.toMillis()));
    config.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, minInSync);
    return new TopicSettings(name, SensorPartition.COUNT, replicas, config);
  }
}
