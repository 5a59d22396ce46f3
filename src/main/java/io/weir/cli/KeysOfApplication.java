package io.weir.cli;

import io.weir.internal.app.Keys;
import io.weir.internal.app.StreamsInput;
import io.weir.internal.app.TopicKeys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.event.LiveKey;
import io.weir.internal.store.KeyedState;
import io.weir.internal.store.StateMismatchException;
import io.weir.internal.store.StoredKey;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Parameters;

/** What the commands for a key of an application with handlers have in common. */
abstract class KeysOfApplication extends ClusterCommand {
  private static final Duration POLL = Duration.ofMillis(500);

  @Parameters(
      index = "0",
      paramLabel = "APPLICATION",
      description = "Id of the application, as in KeyedApplication.builder.")
  private String applicationId;

  @Parameters(index = "1", paramLabel = "KEY", description = "The key, as in its events.")
  private String key;

  KeysOfApplication() {
    super(Keys.BOOTSTRAP_SERVERS, TopicKeys.name(Topic.EVENTS), TopicKeys.name(Topic.CONTROL));
  }

  @Override
  void checkUsage() {
    int bytes = key.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > 256) {
      throw wrongUsage("KEY of " + bytes + " bytes: expected: 1 to 256");
    }
  }

  final String applicationId() {
    return applicationId;
  }

  final String key() {
    return key;
  }

  /**
   * The key as the changelog has it; empty if it is not alive and nothing waits for it.
   *
   * @throws KafkaException if there is no such application, or its state is of another version
   */
  final Optional<LiveKey> read(WeirConfig config) {
    String changelog = StreamsInput.changelog(applicationId, KeyedState.STORE);
    TopicPartition partition = new TopicPartition(changelog, SensorPartition.of(key));
    StoredKey stored = new StoredKey(key.getBytes(StandardCharsets.UTF_8));
    try (Consumer<byte[], byte[]> reader = Connections.reader(config)) {
      if (reader.partitionsFor(changelog).size() <= partition.partition()) {
        throw new KafkaException(
            "application "
                + applicationId
                + " has no topic "
                + changelog
                + " with the key's partition: expected: the id of an application with handlers");
      }
      List<TopicPartition> partitions = List.of(partition);
      reader.assign(partitions);
      reader.seekToBeginning(partitions);
      long end = reader.endOffsets(partitions).get(partition);
      while (reader.position(partition) < end) {
        for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
          stored.add(record.key(), record.value());
        }
      }
      return stored.get();
    } catch (StateMismatchException e) {
      throw new KafkaException(changelog + ": " + e.getMessage(), e);
    }
  }

  /** There is nothing to show or to delete. */
  final KafkaException notAlive() {
    return new KafkaException(
        "key "
            + key
            + " is not alive in application "
            + applicationId
            + ", partition "
            + SensorPartition.of(key));
  }
}
