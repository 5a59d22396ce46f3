package io.weir.topic;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * What a shop asks of the topics.
 *
 * @param replicationFactor replicas of every topic, the changelog's and the redrive marks' too;
 *     empty for the default of {@link Replication}
 * @param brokersNamed different brokers that {@code bootstrap.servers} names, 0 where nobody says
 * @param readings how long the readings are kept
 * @param windows how long the windows are kept
 * @param late how long late readings are kept
 * @param deadLetters how long dead letters are kept
 */
public record TopicOptions(
    OptionalInt replicationFactor,
    int brokersNamed,
    Retention readings,
    Retention windows,
    Retention late,
    Retention deadLetters) {
  private static final long GIB = 1L << 30;

  /** The options where nobody says anything. */
  public static final TopicOptions DEFAULT =
      new TopicOptions(
          OptionalInt.empty(),
          0,
          // 500 GiB over 64 partitions.
          new Retention(Duration.ofHours(72), 8_388_608_000L),
          new Retention(Duration.ofDays(30), 8_388_608_000L),
          new Retention(Duration.ofDays(14), GIB),
          new Retention(Duration.ofDays(14), GIB));

  /**
   * When a topic's old records are deleted: whichever bound is reached first.
   *
   * @param time since they were appended
   * @param bytesPerPartition of each partition, as Kafka counts; -1 for no bound
   */
  public record Retention(Duration time, long bytesPerPartition) {}

  /** These options with another number of replicas. */
  public TopicOptions withReplicationFactor(int replicas) {
    return new TopicOptions(
        OptionalInt.of(replicas), brokersNamed, readings, windows, late, deadLetters);
  }

  /** These options where {@code bootstrap.servers} names so many brokers. */
  public TopicOptions withBrokersNamed(int brokers) {
    return new TopicOptions(replicationFactor, brokers, readings, windows, late, deadLetters);
  }
}
