package io.weir.dev.chaos;

import io.weir.dev.oracle.NaiveOrders;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a partition of the four topics from their beginning to their end, committed only. */
final class PartitionReader implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final TopicNames topics;

  PartitionReader(String bootstrapServers, TopicNames topics) {
    this.topics = topics;
    consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                20,
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                5000),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
  }

  /**
   * Reads it, the readings last: whatever was read of the others had its cause there.
   *
   * @return where the topics ended
   */
  Map<TopicPartition, Long> read(int partition, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    TopicPartition readings = new TopicPartition(topics.readings(), partition);
    List<TopicPartition> others = new ArrayList<>(four(partition));
    others.remove(readings);
    Map<TopicPartition, Long> ends = new HashMap<>(readTo(others, reader));
    ends.putAll(readTo(List.of(readings), reader));
    return ends;
  }

  private Map<TopicPartition, Long> readTo(
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

  /** Reads all partitions of a topic. */
  void readAll(Topic topic, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    readTo(
        IntStream.range(0, SensorPartition.COUNT)
            .mapToObj(partition -> new TopicPartition(topics.of(topic), partition))
            .toList(),
        reader);
  }

  /** All that operators have ordered so far. */
  NaiveOrders orders() {
    List<ConsumerRecord<byte[], byte[]>> orders = new ArrayList<>();
    readTo(List.of(new TopicPartition(topics.control(), 0)), orders::add);
    return NaiveOrders.of(orders);
  }

  /** Where the topics end now. */
  Map<TopicPartition, Long> ends(int partition) {
    return consumer.endOffsets(four(partition));
  }

  private List<TopicPartition> four(int partition) {
    return topics.ofSensors().stream().map(topic -> new TopicPartition(topic, partition)).toList();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
