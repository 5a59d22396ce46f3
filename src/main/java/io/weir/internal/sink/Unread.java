package io.weir.internal.sink;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Queue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Polled records that are in no batch yet, in order. One thread. */
final class Unread {
  private final Queue<ConsumerRecord<byte[], byte[]>> records = new ArrayDeque<>();

  void add(Iterable<ConsumerRecord<byte[], byte[]>> polled) {
    polled.forEach(records::add);
  }

  /** Removes and returns the next record; null if empty. */
  ConsumerRecord<byte[], byte[]> next() {
    return records.poll();
  }

  /** Removes the records of these partitions; they are read again. */
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
