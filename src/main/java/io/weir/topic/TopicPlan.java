package io.weir.topic;

import io.weir.topic.TopicOptions.Retention;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.config.TopicConfig;

/** The topics of Weir as they are to be on a cluster. */
public final class TopicPlan {
  /** An original of 1 MiB fits into a dead letter together with its headers. */
  static final int REJECTS_MAX_MESSAGE_BYTES = 2 << 20;

  /**
   * The segment that is written to is never compacted: over 64 partitions, segments of 64 MiB kept
   * 4 GiB of old entries beside a few MiB of state. Small ones, closed after some minutes, keep the
   * changelog near the size of the state.
   */
  private static final int CHANGELOG_SEGMENT_BYTES = 8 << 20;

  private static final Duration CHANGELOG_SEGMENT_TIME = Duration.ofMinutes(10);
  private static final Duration CHANGELOG_COMPACTION_LAG = Duration.ofHours(1);

  private TopicPlan() {}

  /** The topics, readings first. */
  public static List<TopicSettings> of(
      TopicNames names, TopicOptions options, Replication replication) {
    return List.of(
        settings(names.readings(), replication, options.readings(), Map.of()),
        settings(names.windows(), replication, options.windows(), Map.of()),
        settings(names.late(), replication, options.late(), roomy()),
        settings(names.deadLetters(), replication, options.deadLetters(), roomy()),
        control(names.control(), replication));
  }

  /** The topic of the operators' orders: one partition, as they have one order; kept for ever. */
  private static TopicSettings control(String name, Replication replication) {
    Map<String, String> config = new TreeMap<>(keptForEver(replication));
    config.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
    return new TopicSettings(name, 1, replication.replicas(), config);
  }

  private static Map<String, String> keptForEver(Replication replication) {
    return Map.of(
        TopicConfig.CLEANUP_POLICY_CONFIG,
        TopicConfig.CLEANUP_POLICY_DELETE,
        TopicConfig.RETENTION_MS_CONFIG,
        "-1",
        TopicConfig.RETENTION_BYTES_CONFIG,
        "-1",
        TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
        String.valueOf(replication.minInSync()));
  }

  /**
   * The topic that holds which letters of another were sent again: kept for ever, as it is small
   * and the letters' retention is the shop's to change.
   */
  static TopicSettings redriven(String letters, Replication replication) {
    return new TopicSettings(
        TopicNames.redriven(letters), 1, replication.replicas(), keptForEver(replication));
  }

  /** The topic that holds the application's state; Kafka Streams creates it. */
  public static TopicSettings changelog(String name, Replication replication) {
    Map<String, String> config = new TreeMap<>();
    config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
    config.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, String.valueOf(replication.minInSync()));
    config.put(TopicConfig.SEGMENT_BYTES_CONFIG, String.valueOf(CHANGELOG_SEGMENT_BYTES));
    config.put(TopicConfig.SEGMENT_MS_CONFIG, String.valueOf(CHANGELOG_SEGMENT_TIME.toMillis()));
    config.put(
        TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG,
        String.valueOf(CHANGELOG_COMPACTION_LAG.toMillis()));
    return new TopicSettings(name, SensorPartition.COUNT, replication.replicas(), config);
  }

  private static Map<String, String> roomy() {
    return Map.of(
        TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(REJECTS_MAX_MESSAGE_BYTES));
  }

  private static TopicSettings settings(
      String name, Replication replication, Retention retention, Map<String, String> more) {
    Map<String, String> config = new TreeMap<>(more);
    // Event time lives in the payload: retention must not see it, and no gateway may set this one.
    config.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
    config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
    config.put(TopicConfig.RETENTION_MS_CONFIG, String.valueOf(retention.time().toMillis()));
    config.put(TopicConfig.RETENTION_BYTES_CONFIG, String.valueOf(retention.bytesPerPartition()));
    config.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, String.valueOf(replication.minInSync()));
    return new TopicSettings(name, SensorPartition.COUNT, replication.replicas(), config);
  }
}
