package io.weir.lab.bench;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** What a changelog would be if it were compacted to the end: reads all of it. */
final class ChangelogContent {
  private static final Duration POLL = Duration.ofMillis(500);

  private ChangelogContent() {}

  /** Key and value bytes of the live entries, over all partitions. */
  static long liveBytes(String bootstrapServers, String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer = CommittedConsumer.inTurn(bootstrapServers)) {
      return consumer.partitionsFor(topic).stream()
          .mapToLong(info -> liveBytes(consumer, new TopicPartition(topic, info.partition())))
          .sum();
    }
  }

  /** One partition at a time: the keys of all would need much memory. */
  private static long liveBytes(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition) {
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
    long end = consumer.endOffsets(List.of(partition)).get(partition);
    Map<ByteBuffer, Integer> entries = new HashMap<>();
    while (consumer.position(partition) < end) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        ByteBuffer key = ByteBuffer.wrap(record.key());
        if (record.value() == null) {
          entries.remove(key);
        } else {
          entries.put(key, record.key().length + record.value().length);
        }
      }
    }
    return entries.values().stream().mapToLong(Integer::longValue).sum();
  }
}
