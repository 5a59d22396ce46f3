package io.weir.topic;

import io.weir.topic.Topic.Retention;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.config.TopicConfig;

/** The planned settings of Weir's topics. */
public final class TopicPlan {
  /** An original of 1 MiB fits into a dead letter together with its headers. */
  static final int REJECTS_MAX_MESSAGE_BYTES = 2 << 20;

  /** Records older than this are compacted; readers of the whole topic read newer duplicates. */
  private static final Duration COMPACTED_SEGMENT_TIME = Duration.ofDays(1);

  private TopicPlan() {}

  /** The settings of the enabled topics, readings first. */
  public static List<TopicSettings> of(
      TopicNames names, TopicOptions options, Replication replication) {
    return names.topics().stream().map(topic -> of(topic, names, options, replication)).toList();
  }

  /** The settings of one topic. */
  static TopicSettings of(
      Topic topic, TopicNames names, TopicOptions options, Replication replication) {
    Optional<Retention> retention = options.retention(topic);
    Map<String, String> config = new TreeMap<>(keptForEver(replication));
    // Event time is in the payload. Retention must not depend on it, and gateways must not set the
    // record timestamp.
    config.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
    if (retention.isPresent()) {
      long bytes = retention.get().bytesPerPartition();
      config.put(
          TopicConfig.RETENTION_MS_CONFIG, String.valueOf(retention.get().time().toMillis()));
      config.put(TopicConfig.RETENTION_BYTES_CONFIG, String.valueOf(bytes));
    }
    if (topic.isCompacted()) {
      config.putAll(compacted(retention.isPresent()));
    }
    if (topic.holdsOriginals()) {
      config.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(REJECTS_MAX_MESSAGE_BYTES));
    }
    return new TopicSettings(names.of(topic), topic.partitions(), replication.replicas(), config);
  }

  private static Map<String, String> compacted(boolean alsoDeleted) {
    return Map.of(
        TopicConfig.CLEANUP_POLICY_CONFIG,
        alsoDeleted
            ? TopicConfig.CLEANUP_POLICY_COMPACT + "," + TopicConfig.CLEANUP_POLICY_DELETE
            : TopicConfig.CLEANUP_POLICY_COMPACT,
        TopicConfig.SEGMENT_MS_CONFIG,
        String.valueOf(COMPACTED_SEGMENT_TIME.toMillis()));
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
   * The redrive marks topic of a topic. Kept for ever: it is small, and the retention of the source
   * is the operator's choice.
   */
  static TopicSettings redriven(String topic, Replication replication) {
    return marks(TopicNames.redriven(topic), replication);
  }

  /** A redrive marks topic by its name. */
  static TopicSettings marks(String name, Replication replication) {
    return new TopicSettings(
        name, SensorPartition.COUNT, replication.replicas(), keptForEver(replication));
  }

  /** The progress of imports: small, and kept for ever by key. */
  public static TopicSettings progress(String name, Replication replication) {
    Map<String, String> config = new TreeMap<>(keptForEver(replication));
    config.putAll(compacted(false));
    return new TopicSettings(name, 1, replication.replicas(), config);
  }

  /** The settings of the enabled topics and of those that programs make for themselves. */
  public static List<TopicSettings> of(
      TopicNames names, OwnTopics own, TopicOptions options, Replication replication) {
    return Stream.of(
            of(names, options, replication).stream(),
            own.changelogs().stream().map(name -> changelog(name, options, replication)),
            own.marks().stream().map(name -> marks(name, replication)))
        .flatMap(settings -> settings)
        .toList();
  }

  /** The topic that holds the application's state. */
  public static TopicSettings changelog(
      String name, TopicOptions options, Replication replication) {
    Map<String, String> config = new TreeMap<>();
    config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
    config.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, String.valueOf(replication.minInSync()));
    config.put(
        TopicConfig.SEGMENT_BYTES_CONFIG, String.valueOf(options.changelog().segmentBytes()));
    config.put(
        TopicConfig.SEGMENT_MS_CONFIG,
        String.valueOf(options.changelog().segmentTime().toMillis()));
    config.put(
        TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG,
        String.valueOf(options.changelog().compactionLag().toMillis()));
    return new TopicSettings(name, SensorPartition.COUNT, replication.replicas(), config);
  }
}
