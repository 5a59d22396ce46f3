package io.weir.topic;

import io.weir.topic.Topic.Retention;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The operator's options for topics.
 *
 * @param replicationFactor replicas of every topic, the changelog's and the redrive marks' too;
 *     empty for the default of {@link Replication}
 * @param brokersNamed number of distinct brokers in {@code bootstrap.servers}; 0 if unknown
 * @param retentions retentions that differ from the default, by topic
 * @param changelog settings of changelogs
 */
public record TopicOptions(
    OptionalInt replicationFactor,
    int brokersNamed,
    Map<Topic, Retention> retentions,
    Changelog changelog) {
  /** The default options. */
  public static final TopicOptions DEFAULT =
      new TopicOptions(OptionalInt.empty(), 0, new EnumMap<>(Topic.class), Changelog.DEFAULT);

  /**
   * How soon changelogs are compacted. The active segment is never compacted: over 64 partitions,
   * segments of 64 MiB keep 4 GiB of old entries for a few MiB of state. Small segments, rolled
   * after minutes, keep the changelog near the size of the state.
   *
   * @param segmentBytes {@code segment.bytes}
   * @param segmentTime {@code segment.ms}
   * @param compactionLag {@code max.compaction.lag.ms}
   */
  public record Changelog(long segmentBytes, Duration segmentTime, Duration compactionLag) {
    public static final Changelog DEFAULT =
        new Changelog(8 << 20, Duration.ofMinutes(10), Duration.ofHours(1));
  }

  public TopicOptions {
    retentions = Map.copyOf(retentions);
  }

  /** The retention of a topic; empty for ever. */
  public Optional<Retention> retention(Topic topic) {
    return Optional.ofNullable(retentions.get(topic)).or(topic::retention);
  }

  /** These options with another number of replicas. */
  public TopicOptions withReplicationFactor(int replicas) {
    return new TopicOptions(OptionalInt.of(replicas), brokersNamed, retentions, changelog);
  }

  /** These options with another number of brokers in {@code bootstrap.servers}. */
  public TopicOptions withBrokersNamed(int brokers) {
    return new TopicOptions(replicationFactor, brokers, retentions, changelog);
  }
}
