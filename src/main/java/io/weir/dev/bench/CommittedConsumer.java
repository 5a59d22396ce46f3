package io.weir.dev.bench;

import io.weir.topic.SensorPartition;
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
    Map<String, Object> settings =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrapServers,
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed",
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            false);
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
