package io.weir.lab.bench;

import io.weir.topic.SensorPartition;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Consumers that read as a user would, committed records only, and belong to no group. */
final class CommittedConsumer {
  private CommittedConsumer() {}

  /** One without partitions. */
  static KafkaConsumer<byte[], byte[]> of(String bootstrapServers) {
    return with(bootstrapServers, Map.of());
  }

  /**
   * One without partitions that reads one after another to its end: a fetch at the end of one would
   * hold up the next for half a second.
   */
  static KafkaConsumer<byte[], byte[]> inTurn(String bootstrapServers) {
    return with(bootstrapServers, Map.of(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 10));
  }

  private static KafkaConsumer<byte[], byte[]> with(
      String bootstrapServers, Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** One that reads all partitions of a topic from their beginning. */
  static KafkaConsumer<byte[], byte[]> of(String bootstrapServers, String topic) {
    KafkaConsumer<byte[], byte[]> consumer = of(bootstrapServers);
    consumer.assign(
        IntStream.range(0, SensorPartition.COUNT)
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .toList());
    consumer.seekToBeginning(consumer.assignment());
    return consumer;
  }
}
