package io.weir.sink;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Queue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Records that Kafka gave and that are in no batch yet, in their order. One thread. */
final class Unread {
  private final Queue<ConsumerRecord<byte[], byte[]>> records = new ArrayDeque<>();

  void add(Iterable<ConsumerRecord<byte[], byte[]>> polled) {
    polled.forEach(records::add);
  }

  /** The next one, which is no longer here; null where there is none. */
  ConsumerRecord<byte[], byte[]> next() {
    return records.poll();
  }

  /** Forgets what is of these partitions: it is read again. */
  void drop(Collection<TopicPartition> partitions) {
    records.removeIf(
        record -> partitions.contains(new TopicPartition(record.topic(), record.partition())));
  }

  boolean isEmpty() {
    return records.isEmpty();
  }

  int size() {
    return records.size();
  }
}
