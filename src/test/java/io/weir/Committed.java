package io.weir;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What a reader of committed records finds on Weir's topics. Not safe for several threads. */
public final class Committed implements AutoCloseable {
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions = new ArrayList<>();

  /** Will read from the beginning. */
  public Committed(String bootstrapServers, List<String> topics) {
    consumer = consumer(bootstrapServers, "read_committed");
    for (String topic : topics) {
      consumer
          .partitionsFor(topic)
          .forEach(of -> partitions.add(new TopicPartition(topic, of.partition())));
    }
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** All records up to where the topics end now; those of a partition in their order. */
  public static List<ConsumerRecord<byte[], byte[]>> of(
      String bootstrapServers, List<String> topics) {
    try (Committed reader = new Committed(bootstrapServers, topics)) {
      return reader.upToNow();
    }
  }

  /** The same, but waits for the end of transactions that are under way. */
  public static List<ConsumerRecord<byte[], byte[]>> afterTransactions(
      String bootstrapServers, List<String> topics) {
    try (Committed reader = new Committed(bootstrapServers, topics);
        KafkaConsumer<byte[], byte[]> all = consumer(bootstrapServers, "read_uncommitted")) {
      return reader.upTo(all.endOffsets(reader.partitions));
    }
  }

  /**
   * The records since the last call. The end of a topic is where the first transaction begins that
   * is under way.
   */
  public List<ConsumerRecord<byte[], byte[]>> upToNow() {
    return upTo(consumer.endOffsets(partitions));
  }

  private List<ConsumerRecord<byte[], byte[]>> upTo(Map<TopicPartition, Long> end) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    while (end.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
      consumer.poll(Duration.ofMillis(100)).forEach(records::add);
    }
    return records;
  }

  private static KafkaConsumer<byte[], byte[]> consumer(
      String bootstrapServers, String isolationLevel) {
    // Beans of all metrics would take most of the CPU of a short life.
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "isolation.level",
            isolationLevel,
            "metric.reporters",
            ""),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  @Override
  public void close() {
    consumer.close();
  }
}
