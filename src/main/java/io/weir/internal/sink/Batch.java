package io.weir.internal.sink;

import io.weir.topic.Topic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/** The content of one transaction: the newest row of each key. Not safe for several threads. */
final class Batch {
  private final Map<Table, Map<RowKey, TableRow>> rows = new LinkedHashMap<>();
  private final Map<Table, RecordRows> encoders = new HashMap<>();
  private final List<Reject> rejects = new ArrayList<>();
  private final List<TableRow> waiting = new ArrayList<>();
  private final Map<TopicPartition, OffsetAndMetadata> nextOffsets = new HashMap<>();
  private final Map<Topic, Long> byTopic = new EnumMap<>(Topic.class);
  private long oldestAppendMs = Long.MAX_VALUE;
  private int records;
  private long bytes;

  /** Adds a record, as rows or as a reject. */
  void add(TableMapping mapping, int generation, ConsumerRecord<byte[], byte[]> record) {
    Table table = mapping.table();
    RecordRows made = encoders.computeIfAbsent(table, RecordRows::new);
    made.start(record, generation);
    bytes += bytesOf(record);
    try {
      mapping.map(record, made);
      Map<RowKey, TableRow> newest = rows.computeIfAbsent(table, any -> new HashMap<>());
      for (TableRow row : made.rows()) {
        newest.merge(row.key(), row, Batch::newer);
        bytes += row.bytes().length;
      }
      if (made.rejected() != null) {
        throw made.rejected();
      }
    } catch (RejectedException e) {
      rejects.add(new Reject(record, generation, e.reason(), e.getMessage()));
    }
    nextOffsets.put(
        partition(record), new OffsetAndMetadata(record.offset() + 1, record.leaderEpoch(), ""));
    byTopic.merge(mapping.topic(), 1L, Long::sum);
    oldestAppendMs = Math.min(oldestAppendMs, record.timestamp());
    records++;
  }

  /** Takes the rows of days without a partition out of a table: their records wait. */
  void defer(Table table, Set<Integer> days) {
    rows.getOrDefault(table, Map.of())
        .values()
        .removeIf(row -> days.contains(row.day()) && waiting.add(row));
  }

  /** Moves the content to a new batch; this one is empty afterwards. */
  Batch drain() {
    Batch moved = new Batch();
    moved.rows.putAll(rows);
    moved.rejects.addAll(rejects);
    moved.nextOffsets.putAll(nextOffsets);
    moved.byTopic.putAll(byTopic);
    moved.oldestAppendMs = oldestAppendMs;
    moved.records = records;
    moved.bytes = bytes;
    clear();
    return moved;
  }

  /** Sets the next offset of a partition that has no record in it. */
  void moveTo(TopicPartition partition, OffsetAndMetadata position) {
    nextOffsets.put(partition, position);
  }

  private static TableRow newer(TableRow one, TableRow later) {
    return later.rank() >= one.rank() ? later : one;
  }

  /** Removes the content of these partitions. */
  void drop(Collection<TopicPartition> partitions) {
    if (nextOffsets.keySet().removeAll(Set.copyOf(partitions))) {
      rows.values()
          .forEach(
              byKey ->
                  byKey.values().removeIf(row -> partitions.contains(partition(row.record()))));
      rejects.removeIf(reject -> partitions.contains(partition(reject.record())));
    }
    if (isEmpty()) {
      clear();
    }
  }

  void clear() {
    rows.clear();
    rejects.clear();
    waiting.clear();
    nextOffsets.clear();
    byTopic.clear();
    oldestAppendMs = Long.MAX_VALUE;
    records = 0;
    bytes = 0;
  }

  /** Records added since it was empty, including dropped ones. */
  int records() {
    return records;
  }

  /** Bytes of these records and their rows, including replaced rows. */
  long bytes() {
    return bytes;
  }

  /** The oldest append time; {@link Long#MAX_VALUE} if empty. */
  long oldestAppendMs() {
    return oldestAppendMs;
  }

  /** The same by topic. */
  Map<Topic, Long> recordsByTopic() {
    return byTopic;
  }

  boolean isEmpty() {
    return nextOffsets.isEmpty();
  }

  Set<Table> tables() {
    return rows.keySet();
  }

  /** The rows of a table, in the order of their keys: transactions lock them in one order. */
  List<TableRow> rows(Table table) {
    List<TableRow> sorted = new ArrayList<>(rows.getOrDefault(table, Map.of()).values());
    sorted.sort((a, b) -> a.key().compareTo(b.key()));
    return sorted;
  }

  /** The days for which a table needs partitions. */
  Set<Integer> days(Table table) {
    Set<Integer> days = new HashSet<>();
    rows.getOrDefault(table, Map.of()).values().forEach(row -> days.add(row.day()));
    return days;
  }

  /** Rows whose records wait for a partition. */
  List<TableRow> waiting() {
    return waiting;
  }

  List<Reject> rejects() {
    return rejects;
  }

  /** The next offset of each partition, with the leader epoch of the record in front of it. */
  Map<TopicPartition, OffsetAndMetadata> nextOffsets() {
    return nextOffsets;
  }

  private static long bytesOf(ConsumerRecord<byte[], byte[]> record) {
    long sum = bytesOf(record.key()) + bytesOf(record.value());
    for (Header header : record.headers()) {
      sum += header.key().length() + bytesOf(header.value());
    }
    return sum;
  }

  private static long bytesOf(byte[] part) {
    return part == null ? 0 : part.length;
  }

  private static TopicPartition partition(ConsumerRecord<byte[], byte[]> record) {
    return new TopicPartition(record.topic(), record.partition());
  }
}
