package io.weir.internal.imports;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.header.Header;

/**
 * The records of the next transaction. They are kept until all are made, so that the transaction is
 * open only while they are sent: a source record that takes long to read does not time it out. One
 * thread.
 */
final class ImportTransaction {
  /** The broker aborts transactions that are open for longer. */
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Most bytes of a transaction. */
  static final long MAX_BYTES = 16 << 20;

  /** Of them, for the frames of batches and the progress. */
  private static final long RESERVED_BYTES = 1 << 20;

  /** What a record takes besides its bytes. */
  private static final int OVERHEAD = 200;

  private final Producer<byte[], byte[]> producer;
  private final LongSupplier nanos;
  private final List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
  private final Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
  private long bytes;

  ImportTransaction(Producer<byte[], byte[]> producer, LongSupplier nanos) {
    this.producer = producer;
    this.nanos = nanos;
  }

  void add(ProducerRecord<byte[], byte[]> record) {
    records.add(record);
    bytes += bytesOf(record);
  }

  /** The approximate bytes of a record. */
  static long bytesOf(ProducerRecord<byte[], byte[]> record) {
    long bytes = OVERHEAD + length(record.key()) + length(record.value());
    for (Header header : record.headers()) {
      bytes += OVERHEAD + length(header.value());
    }
    return bytes;
  }

  private static int length(byte[] text) {
    return text == null ? 0 : text.length;
  }

  /** Notes that the record was read. */
  void read(ConsumerRecord<byte[], byte[]> record) {
    offsets.put(
        new TopicPartition(record.topic(), record.partition()),
        new OffsetAndMetadata(record.offset() + 1, record.leaderEpoch(), ""));
  }

  /** The next offset of each partition of which records were read since the last commit. */
  Map<TopicPartition, OffsetAndMetadata> offsets() {
    return Map.copyOf(offsets);
  }

  /** Whether it may have as many bytes more. */
  boolean hasRoomFor(long more) {
    return bytes + more <= MAX_BYTES - RESERVED_BYTES;
  }

  /**
   * Commits the records.
   *
   * @throws ProducerFencedException if another process has the transactional id
   * @throws KafkaException if the transaction was open for too long, or for another failure of
   *     Kafka
   */
  void commit() {
    commit(Map.of(), () -> null);
  }

  /** The same, with offsets of a group. */
  void commit(
      Map<TopicPartition, OffsetAndMetadata> ofGroup, Supplier<ConsumerGroupMetadata> group) {
    long beganNanos = nanos.getAsLong();
    try {
      producer.beginTransaction();
      records.forEach(producer::send);
      if (!ofGroup.isEmpty()) {
        producer.sendOffsetsToTransaction(ofGroup, group.get());
      }
      producer.commitTransaction();
    } catch (ProducerFencedException e) {
      // The broker fences the producer of a transaction that timed out, too.
      if (nanos.getAsLong() - beganNanos >= TIMEOUT.toNanos()) {
        throw new KafkaException(
            "a transaction was open for more than "
                + TIMEOUT.toSeconds()
                + " s, and the broker has aborted it",
            e);
      }
      throw e;
    }
    records.clear();
    offsets.clear();
    bytes = 0;
  }
}
