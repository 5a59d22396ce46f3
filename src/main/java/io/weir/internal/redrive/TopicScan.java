package io.weir.internal.redrive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  /** The last record of a partition; empty if there is none. */
  static Optional<ConsumerRecord<byte[], byte[]>> newest(
      Consumer<byte[], byte[]> reader, TopicPartition partition) {
    Optional<ConsumerRecord<byte[], byte[]>> newest = Optional.empty();
    boolean isWhole = false;
    // The last offsets may be those of markers and aborted records.
    for (long last = 16; newest.isEmpty() && !isWhole; last *= 16) {
      TopicScan scan = new TopicScan(reader, List.of(partition), 0);
      isWhole = scan.end(partition) - last <= reader.position(partition);
      scan.skipTo(partition, scan.end(partition) - last);
      while (!scan.isDone()) {
        for (ConsumerRecord<byte[], byte[]> record : scan.next()) {
          newest = Optional.of(record);
        }
      }
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
