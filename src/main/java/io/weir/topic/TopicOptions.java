package io.weir.topic;

import io.weir.topic.Topic.Retention;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What an operator asks of the topics.
 *
 * @param replicationFactor replicas of every topic, the changelog's and the redrive marks' too;
 *     empty for the default of {@link Replication}
 * @param brokersNamed different brokers that {@code bootstrap.servers} names, 0 where nobody says
 * @param retentions of topics that are kept otherwise than by default
 */
public record TopicOptions(
    OptionalInt replicationFactor, int brokersNamed, Map<Topic, Retention> retentions) {
  /** The options where nobody says anything. */
  public static final TopicOptions DEFAULT =
      new TopicOptions(OptionalInt.empty(), 0, new EnumMap<>(Topic.class));

  public TopicOptions {
    retentions = Map.copyOf(retentions);
  }

  /** How long a topic is kept; empty for ever. */
  public Optional<Retention> retention(Topic topic) {
    return Optional.ofNullable(retentions.get(topic)).or(topic::retention);
  }

  /** These options with another number of replicas. */
  public TopicOptions withReplicationFactor(int replicas) {
    return new TopicOptions(OptionalInt.of(replicas), brokersNamed, retentions);
  }

  /** These options where {@code bootstrap.servers} names so many brokers. */
  public TopicOptions withBrokersNamed(int brokers) {
    return new TopicOptions(replicationFactor, brokers, retentions);
  }
}
