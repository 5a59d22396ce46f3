package io.weir;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What a reader of committed records finds on Weir's topics. */
public final class Committed {
  private Committed() {}

  /** All records up to where the topics end now; those of a partition in their order. */
  public static List<ConsumerRecord<byte[], byte[]>> of(
      String bootstrapServers, List<String> topics) {
    return read(bootstrapServers, topics, "read_committed");
  }

  /** The same, but waits for the end of transactions that are under way. */
  public static List<ConsumerRecord<byte[], byte[]>> afterTransactions(
      String bootstrapServers, List<String> topics) {
    return read(bootstrapServers, topics, "read_uncommitted");
  }

  /**
   * @param ends whose ends of the topics are read up to: for readers of committed records they are
   *     where the first transaction begins that is under way
   */
  private static List<ConsumerRecord<byte[], byte[]>> read(
      String bootstrapServers, List<String> topics, String ends) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(bootstrapServers, "read_committed");
        KafkaConsumer<byte[], byte[]> ofEnds = consumer(bootstrapServers, ends)) {
      List<TopicPartition> partitions = new ArrayList<>();
      for (String topic : topics) {
        consumer
            .partitionsFor(topic)
            .forEach(of -> partitions.add(new TopicPartition(topic, of.partition())));
      }
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> end = ofEnds.endOffsets(partitions);
      while (end.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
    }
    return records;
  }

  private static KafkaConsumer<byte[], byte[]> consumer(
      String bootstrapServers, String isolationLevel) {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", bootstrapServers, "isolation.level", isolationLevel),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }
}
