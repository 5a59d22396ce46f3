package io.weir.keyed;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.SizeGuard;
import io.weir.topic.RecordLimits;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serializer;

/**
 * A topic that handlers emit to. All stream threads use its serializers.
 *
 * @param limits limits of its records
 * @param partitions number of its partitions
 * @param room maximum size of key, value and headers, in bytes
 */
record Output<K, V>(
    String topic,
    Serializer<K> keys,
    Serializer<V> values,
    RecordLimits limits,
    int partitions,
    int room) {
  /** Maximum size of a record, even if the topic allows more. */
  static final int MOST_RECORD_BYTES = 8 << 20;

  /** More than the lengths of a header take. */
  private static final int HEADER_BYTES = 16;

  private static final Headers NO_HEADERS = new RecordHeaders();

  /**
   * An emitted record. It is serialized during the call, so that a failing serializer fails the
   * call.
   */
  record Emitted(
      Kind kind, String topic, int partition, byte[] key, byte[] value, Headers headers) {
    /** What is emitted: a record for a topic, or an event for a key. */
    enum Kind {
      RECORD,
      EVENT,
      SCHEDULED_EVENT
    }

    /** An event. */
    static Emitted event(Kind kind, byte[] key, byte[] event) {
      return new Emitted(kind, null, Emission.BY_KEY, key, event, NO_HEADERS);
    }

    int bytes() {
      int bytes = length(key) + length(value);
      for (Header header : headers) {
        bytes += HEADER_BYTES + header.key().length() * 3 + length(header.value());
      }
      return bytes;
    }

    private static int length(byte[] bytes) {
      return bytes == null ? 0 : bytes.length;
    }
  }

  /** Rejects every record until its limits are set. */
  static <K, V> Output<K, V> of(String topic, Serializer<K> keys, Serializer<V> values) {
    return new Output<>(topic, keys, values, new RecordLimits(0, true, 0), 0, 0);
  }

  Output<K, V> with(RecordLimits found, int foundPartitions, int mostRecordBytes) {
    int most = Math.min(found.maxBytes(), mostRecordBytes);
    int room = new SizeGuard(most).roomForValue(null, new RecordHeaders());
    RecordLimits limits = new RecordLimits(most, found.needsKey(), found.maxAgeMs());
    return new Output<>(topic, keys, values, limits, foundPartitions, room);
  }

  // An object of a wrong class fails in the serializer, which fails the call.
  @SuppressWarnings("unchecked")
  Emitted serialize(ProducerRecord<?, ?> record) {
    Object key = record.key();
    Object value = record.value();
    Headers headers = new RecordHeaders(record.headers());
    byte[] keyBytes = key == null ? null : copy(keys.serialize(topic, headers, (K) key));
    byte[] valueBytes = value == null ? null : copy(values.serialize(topic, headers, (V) value));
    if (keyBytes == null && limits.needsKey()) {
      throw new IllegalArgumentException(
          "a record without a key for " + topic + ", which is compacted: each record needs one");
    }
    requireAllowed(record);
    int partition = record.partition() == null ? Emission.BY_KEY : record.partition();
    Emitted emitted =
        new Emitted(Emitted.Kind.RECORD, topic, partition, keyBytes, valueBytes, headers);
    if (emitted.bytes() > room) {
      throw new IllegalArgumentException(
          "a record for %s of %d bytes; expected: at most %d"
              .formatted(topic, emitted.bytes(), room));
    }
    return emitted;
  }

  /** The record is written after the call: the program may change its array before that. */
  private static byte[] copy(byte[] bytes) {
    return bytes == null ? null : bytes.clone();
  }

  private void requireAllowed(ProducerRecord<?, ?> record) {
    if (record.timestamp() != null) {
      throw new IllegalArgumentException("a record with a timestamp: Weir sets it");
    }
    if (record.partition() != null && record.partition() >= partitions) {
      throw new IllegalArgumentException(
          "a record for partition %d of %s, which has %d"
              .formatted(record.partition(), topic, partitions));
    }
    for (Header header : record.headers()) {
      if (DeadLetterHeaders.isOurs(header.key())) {
        throw new IllegalArgumentException(
            "the header " + header.key() + ": names that begin so are Weir's");
      }
    }
  }
}
