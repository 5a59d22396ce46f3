package io.weir.internal.app;

import io.weir.topic.Topic;
import io.weir.topic.Topic.Retention;
import io.weir.topic.TopicOptions;
import io.weir.topic.TopicOptions.Changelog;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The settings of topics: replicas, retention and changelogs. */
final class TopicOptionSettings {
  private TopicOptionSettings() {}

  static TopicOptions of(Settings settings, KafkaSettings kafka) {
    return new TopicOptions(
        replicationFactor(settings, kafka),
        brokersNamed(settings.get(Keys.BOOTSTRAP_SERVERS)),
        retentions(settings),
        new Changelog(
            settings.get(TopicKeys.CHANGELOG_SEGMENT_BYTES),
            settings.get(TopicKeys.CHANGELOG_SEGMENT_TIME),
            settings.get(TopicKeys.CHANGELOG_COMPACTION_LAG)));
  }

  /** Uses Kafka Streams' replication.factor if Weir's setting is not set. */
  private static OptionalInt replicationFactor(Settings settings, KafkaSettings kafka) {
    Optional<Integer> configured = settings.find(Keys.REPLICATION_FACTOR);
    Optional<Integer> passed = kafka.replicationFactor();
    if (configured.isPresent() && passed.isPresent() && !configured.equals(passed)) {
      throw settings.refusal(
          Keys.REPLICATION_FACTOR,
          "KAFKA_REPLICATION_FACTOR is " + passed.get() + "; expected: one of the two");
    }
    return configured.or(() -> passed).map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  private static int brokersNamed(String bootstrapServers) {
    return (int) Arrays.stream(bootstrapServers.split(",")).distinct().count();
  }

  private static Map<Topic, Retention> retentions(Settings settings) {
    Map<Topic, Retention> retentions = new EnumMap<>(Topic.class);
    for (Topic topic : Topic.values()) {
      if (topic.retention().isPresent()) {
        retentions.put(topic, TopicKeys.retention(settings, topic));
      }
    }
    return retentions;
  }
}
