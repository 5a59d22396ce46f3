package io.weir.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Reads partitions from their beginning or end, optionally only to their current end. */
final class TailReader {
  private static final Duration POLL = Duration.ofMillis(500);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions;
  private boolean toEnd;
  private Map<TopicPartition, Long> ends = Map.of();

  TailReader(KafkaConsumer<byte[], byte[]> consumer, List<TopicPartition> partitions) {
    this.consumer = consumer;
    this.partitions = partitions;
  }

  /** Sets the start, and whether to stop at the current end of the partitions. */
  void seek(boolean fromBeginning, boolean toEnd) {
    this.toEnd = toEnd;
    consumer.assign(partitions);
    if (fromBeginning) {
      consumer.seekToBeginning(partitions);
    } else {
      consumer.seekToEnd(partitions);
    }
    ends = toEnd ? consumer.endOffsets(partitions) : Map.of();
  }

  boolean isAtEnd() {
    return toEnd
        && ends.entrySet().stream()
            .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  /** The next records; empty after 500 ms without one. */
  List<ConsumerRecord<byte[], byte[]>> poll() {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      TopicPartition partition = new TopicPartition(record.topic(), record.partition());
      if (record.offset() < ends.getOrDefault(partition, Long.MAX_VALUE)) {
        records.add(record);
      }
    }
    return records;
  }
}
