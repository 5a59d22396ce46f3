package io.weir.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/** Reads partitions from a start, optionally only to their current end. */
final class TailReader {
  private static final Duration POLL = Duration.ofMillis(500);

  /** Of a record, or a header, besides its bytes. */
  private static final int RECORD_BYTES = 128;

  private static final Comparator<ConsumerRecord<byte[], byte[]>> BY_TIME =
      Comparator.<ConsumerRecord<byte[], byte[]>>comparingLong(ConsumerRecord::timestamp)
          .thenComparingInt(ConsumerRecord::partition)
          .thenComparingLong(ConsumerRecord::offset);

  /** Where to start. */
  sealed interface Start {
    /** The oldest record. */
    record Beginning() implements Start {}

    /** The first record that was appended at this time or later. */
    record Since(Instant time) implements Start {}

    /** The next record. */
    record End() implements Start {}
  }

  private final Consumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions;
  private Map<TopicPartition, Long> ends = Map.of();
  private boolean toEnd;
  private boolean hasLeftOut;

  TailReader(Consumer<byte[], byte[]> consumer, List<TopicPartition> partitions) {
    this.consumer = consumer;
    this.partitions = partitions;
  }

  /** Sets the start, and whether to stop at the current end of the partitions. */
  void seek(Start start, boolean toEnd) {
    this.toEnd = toEnd;
    Map<TopicPartition, Long> current = consumer.endOffsets(partitions);
    ends = toEnd ? current : Map.of();
    consumer.assign(partitions);
    offsets(start, current).forEach(consumer::seek);
  }

  /**
   * The newest records that are wanted, by append time. It reads backwards: of each partition a few
   * records at first, and more only where older ones may belong to the result.
   *
   * @param start where the oldest of them may be
   * @param mostBytes of all of them, as {@link #bytes} counts them; the newest one may have more
   */
  List<ConsumerRecord<byte[], byte[]>> newest(
      Start start, int most, long mostBytes, Predicate<ConsumerRecord<byte[], byte[]>> isWanted) {
    long bytes = 0;
    hasLeftOut = false;
    toEnd = true;
    Map<TopicPartition, Long> current = consumer.endOffsets(partitions);
    Map<TopicPartition, Long> bounds = offsets(start, current);
    Map<TopicPartition, Long> unread = new HashMap<>(current);
    unread.entrySet().removeIf(end -> end.getValue() <= bounds.get(end.getKey()));
    TreeSet<ConsumerRecord<byte[], byte[]>> newest = new TreeSet<>(BY_TIME);
    Map<TopicPartition, Integer> wanted = new HashMap<>();
    for (long back = 2L * most + 2; !unread.isEmpty(); back *= 4) {
      ends = Map.copyOf(unread);
      consumer.assign(unread.keySet());
      Map<TopicPartition, Long> oldest = new HashMap<>();
      for (Map.Entry<TopicPartition, Long> end : unread.entrySet()) {
        TopicPartition partition = end.getKey();
        long from = Math.max(bounds.get(partition), end.getValue() - back);
        consumer.seek(partition, from);
        end.setValue(from);
      }
      while (!isAtEnd()) {
        for (ConsumerRecord<byte[], byte[]> record : poll()) {
          TopicPartition partition = new TopicPartition(record.topic(), record.partition());
          oldest.merge(partition, record.timestamp(), Math::min);
          if (isWanted.test(record)) {
            wanted.merge(partition, 1, Integer::sum);
            newest.add(record);
            bytes += bytes(record);
            while (newest.size() > most || bytes > mostBytes && newest.size() > 1) {
              hasLeftOut |= newest.size() <= most;
              bytes -= bytes(newest.pollFirst());
            }
          }
        }
      }
      boolean whole = hasLeftOut || newest.size() == most;
      unread
          .entrySet()
          .removeIf(
              from ->
                  from.getValue() <= bounds.get(from.getKey())
                      || wanted.getOrDefault(from.getKey(), 0) >= most
                      || whole
                          && oldest.getOrDefault(from.getKey(), Long.MAX_VALUE)
                              < newest.first().timestamp());
    }
    return List.copyOf(newest);
  }

  /** Whether the last call of {@link #newest} left out records for their bytes. */
  boolean hasLeftOut() {
    return hasLeftOut;
  }

  /** What a record takes in memory, about. */
  static long bytes(ConsumerRecord<byte[], byte[]> record) {
    long bytes = RECORD_BYTES + length(record.key()) + length(record.value());
    for (Header header : record.headers()) {
      bytes += RECORD_BYTES + header.key().length() + length(header.value());
    }
    return bytes;
  }

  private static int length(byte[] bytes) {
    return bytes == null ? 0 : bytes.length;
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

  private Map<TopicPartition, Long> offsets(Start start, Map<TopicPartition, Long> ends) {
    if (start instanceof Start.Beginning) {
      return consumer.beginningOffsets(partitions);
    }
    return start instanceof Start.Since since ? offsets(since.time(), ends) : ends;
  }

  private Map<TopicPartition, Long> offsets(Instant time, Map<TopicPartition, Long> ends) {
    Map<TopicPartition, OffsetAndTimestamp> found =
        consumer.offsetsForTimes(
            partitions.stream()
                .collect(Collectors.toMap(partition -> partition, p -> time.toEpochMilli())));
    Map<TopicPartition, Long> offsets = new HashMap<>(ends);
    found.forEach(
        (partition, offset) -> {
          if (offset != null) {
            offsets.put(partition, offset.offset());
          }
        });
    return offsets;
  }
}
