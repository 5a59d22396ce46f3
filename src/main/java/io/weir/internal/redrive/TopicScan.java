package io.weir.internal.redrive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Reads the records of a topic from a time to its end at the start of the scan. One thread. */
final class TopicScan {
  private static final Duration POLL = Duration.ofMillis(500);

  private final Consumer<byte[], byte[]> reader;
  private final Map<TopicPartition, Long> ends;
  private final long start;

  /**
   * @param reader a consumer without a group; the caller closes it
   * @param sinceMs first append time; not positive for the beginning
   */
  TopicScan(Consumer<byte[], byte[]> reader, List<TopicPartition> partitions, long sinceMs) {
    this.reader = reader;
    reader.assign(partitions);
    this.ends = reader.endOffsets(partitions);
    reader.seekToBeginning(partitions);
    if (sinceMs > 0) {
      seek(partitions, sinceMs);
    }
    this.start = sumOfPositions();
  }

  private void seek(List<TopicPartition> partitions, long sinceMs) {
    Map<TopicPartition, Long> times = new HashMap<>();
    partitions.forEach(partition -> times.put(partition, sinceMs));
    Map<TopicPartition, OffsetAndTimestamp> first = reader.offsetsForTimes(times);
    for (TopicPartition partition : partitions) {
      OffsetAndTimestamp at = first.get(partition);
      reader.seek(partition, at == null ? ends.get(partition) : at.offset());
    }
  }

  /** The last record of each partition that has any. */
  static Map<TopicPartition, ConsumerRecord<byte[], byte[]>> newest(
      Consumer<byte[], byte[]> reader, List<TopicPartition> partitions) {
    Map<TopicPartition, ConsumerRecord<byte[], byte[]>> newest = new HashMap<>();
    List<TopicPartition> left = partitions;
    // The last offsets may be those of markers and aborted records.
    for (long last = 16; !left.isEmpty(); last *= 16) {
      TopicScan scan = new TopicScan(reader, left, 0);
      List<TopicPartition> more = new ArrayList<>();
      for (TopicPartition partition : left) {
        long from = scan.end(partition) - last;
        if (reader.position(partition) < from) {
          more.add(partition);
          scan.skipTo(partition, from);
        }
      }
      while (!scan.isDone()) {
        for (ConsumerRecord<byte[], byte[]> record : scan.next()) {
          newest.put(new TopicPartition(record.topic(), record.partition()), record);
        }
      }
      more.removeAll(newest.keySet());
      left = more;
    }
    return newest;
  }

  /** Continues at an offset, if it is not behind it. */
  void skipTo(TopicPartition partition, long offset) {
    reader.seek(partition, Math.max(reader.position(partition), offset));
  }

  /** The end of a partition at the start of the scan. */
  long end(TopicPartition partition) {
    return ends.get(partition);
  }

  boolean isDone() {
    return ends.entrySet().stream()
        .allMatch(end -> reader.position(end.getKey()) >= end.getValue());
  }

  /** The next records; may be empty. */
  List<ConsumerRecord<byte[], byte[]>> next() {
    List<ConsumerRecord<byte[], byte[]>> some = new ArrayList<>();
    ConsumerRecords<byte[], byte[]> polled = reader.poll(POLL);
    if (polled.isEmpty()) {
      requireSame();
    }
    for (ConsumerRecord<byte[], byte[]> record : polled) {
      if (record.offset() < ends.get(new TopicPartition(record.topic(), record.partition()))) {
        some.add(record);
      }
    }
    return some;
  }

  /** A scan of a topic that was recreated and is shorter would never end. */
  private void requireSame() {
    reader
        .endOffsets(ends.keySet())
        .forEach(
            (partition, endNow) -> {
              if (endNow < ends.get(partition)) {
                throw new KafkaException(
                    "topic "
                        + partition.topic()
                        + " was recreated, or lost records, while it was read; run it again");
              }
            });
  }

  /** Offsets read so far, including those of transaction markers. */
  long passed() {
    return sumOfPositions() - start;
  }

  /** Offsets to read. */
  long inAll() {
    return ends.values().stream().mapToLong(Long::longValue).sum() - start;
  }

  private long sumOfPositions() {
    long sum = 0;
    for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
      sum += Math.min(reader.position(end.getKey()), end.getValue());
    }
    return sum;
  }
}
