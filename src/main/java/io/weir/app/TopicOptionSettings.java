package io.weir.app;

import io.weir.topic.TopicOptions;
import io.weir.topic.TopicOptions.Retention;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;

/** The settings of how topics are to be. */
final class TopicOptionSettings {
  private TopicOptionSettings() {}

  static TopicOptions of(Settings settings, KafkaSettings kafka) {
    return new TopicOptions(
        replicationFactor(settings, kafka),
        brokersNamed(settings.get(Keys.BOOTSTRAP_SERVERS)),
        retention(settings, Keys.READINGS_RETENTION, Keys.READINGS_RETENTION_BYTES),
        retention(settings, Keys.WINDOWS_RETENTION, Keys.WINDOWS_RETENTION_BYTES),
        retention(settings, Keys.LATE_RETENTION, Keys.LATE_RETENTION_BYTES),
        retention(settings, Keys.DEAD_LETTERS_RETENTION, Keys.DEAD_LETTERS_RETENTION_BYTES));
  }

  /** Kafka Streams' own replication.factor counts where Weir's setting does not stand. */
  private static OptionalInt replicationFactor(Settings settings, KafkaSettings kafka) {
    Optional<Integer> own = settings.find(Keys.REPLICATION_FACTOR);
    Optional<Integer> passed = kafka.replicationFactor();
    if (own.isPresent() && passed.isPresent() && !own.equals(passed)) {
      throw settings.refusal(
          Keys.REPLICATION_FACTOR,
          "KAFKA_REPLICATION_FACTOR is " + passed.get() + "; allowed is one of the two");
    }
    return own.or(() -> passed).map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  private static int brokersNamed(String bootstrapServers) {
    return (int) Arrays.stream(bootstrapServers.split(",")).distinct().count();
  }

  private static Retention retention(Settings settings, Key<Duration> time, Key<Long> bytes) {
    return new Retention(settings.get(time), settings.get(bytes));
  }
}
