package io.weir.lab.chaos;

import io.weir.lab.oracle.NaiveOrders;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads a partition of the four topics from their beginning to their end, committed only. */
final class PartitionReader implements AutoCloseable {
  private final CommittedTopic committed;
  private final TopicNames topics;

  PartitionReader(String bootstrapServers, TopicNames topics) {
    this.topics = topics;
    this.committed = new CommittedTopic(bootstrapServers);
  }

  /**
   * Reads it, the readings last: whatever was read of the others had its cause there.
   *
   * @param deleted the readings in front of those that are left
   * @return where the topics ended
   */
  Map<TopicPartition, Long> read(
      int partition,
      List<ConsumerRecord<byte[], byte[]>> deleted,
      Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    TopicPartition readings = new TopicPartition(topics.readings(), partition);
    List<TopicPartition> others = new ArrayList<>(four(partition));
    others.remove(readings);
    Map<TopicPartition, Long> ends = new HashMap<>(committed.read(others, reader));
    deleted.forEach(reader);
    ends.putAll(committed.read(List.of(readings), reader));
    return ends;
  }

  /** Reads all partitions of a topic. */
  void readAll(Topic topic, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    committed.read(topics.of(topic), reader);
  }

  /** All that operators have ordered so far. */
  NaiveOrders orders() {
    List<ConsumerRecord<byte[], byte[]>> orders = new ArrayList<>();
    committed.read(List.of(new TopicPartition(topics.control(), 0)), orders::add);
    return NaiveOrders.of(orders);
  }

  /** Where the topics end now. */
  Map<TopicPartition, Long> ends(int partition) {
    return committed.ends(four(partition));
  }

  private List<TopicPartition> four(int partition) {
    return topics.ofSensors().stream().map(topic -> new TopicPartition(topic, partition)).toList();
  }

  @Override
  public void close() {
    committed.close();
  }
}
