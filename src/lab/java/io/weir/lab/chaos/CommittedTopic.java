package io.weir.lab.chaos;

import io.weir.topic.SensorPartition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads topics from their beginning to their end, committed records only. Not safe for several
 * threads.
 */
final class CommittedTopic implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaConsumer<byte[], byte[]> consumer;

  CommittedTopic(String bootstrapServers) {
    consumer = consumer(bootstrapServers);
  }

  /** One without a group, that reads committed records. */
  static KafkaConsumer<byte[], byte[]> consumer(String bootstrapServers) {
    return new KafkaConsumer<>(
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrapServers,
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed",
            // A fetch at the end of one topic holds up what is asked of the next.
            ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
            20,
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            5000),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  /**
   * Reads all partitions of a topic from their beginning to their end.
   *
   * @return where they ended
   */
  Map<TopicPartition, Long> read(String topic, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    return read(partitions(topic), reader);
  }

  /** The same of some partitions. */
  Map<TopicPartition, Long> read(
      List<TopicPartition> partitions, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        if (record.offset() < ends.get(new TopicPartition(record.topic(), record.partition()))) {
          reader.accept(record);
        }
      }
    }
    return ends;
  }

  /** Where the partitions of a topic end. */
  Map<TopicPartition, Long> ends(String topic) {
    return ends(partitions(topic));
  }

  Map<TopicPartition, Long> ends(List<TopicPartition> partitions) {
    return consumer.endOffsets(partitions);
  }

  private static List<TopicPartition> partitions(String topic) {
    return IntStream.range(0, SensorPartition.COUNT)
        .mapToObj(partition -> new TopicPartition(topic, partition))
        .toList();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
