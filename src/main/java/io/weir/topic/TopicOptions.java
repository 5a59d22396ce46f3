package io.weir.topic;

import io.weir.topic.Topic.Retention;
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
 */
public record TopicOptions(
    OptionalInt replicationFactor, int brokersNamed, Map<Topic, Retention> retentions) {
  /** The default options. */
  public static final TopicOptions DEFAULT =
      new TopicOptions(OptionalInt.empty(), 0, new EnumMap<>(Topic.class));

  public TopicOptions {
    retentions = Map.copyOf(retentions);
  }

  /** The retention of a topic; empty for ever. */
  public Optional<Retention> retention(Topic topic) {
    return Optional.ofNullable(retentions.get(topic)).or(topic::retention);
  }

  /** These options with another number of replicas. */
  public TopicOptions withReplicationFactor(int replicas) {
    return new TopicOptions(OptionalInt.of(replicas), brokersNamed, retentions);
  }

  /** These options with another number of brokers in {@code bootstrap.servers}. */
  public TopicOptions withBrokersNamed(int brokers) {
    return new TopicOptions(replicationFactor, brokers, retentions);
  }
}
