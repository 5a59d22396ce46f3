package io.weir.keyed;

import io.weir.internal.deadletter.SizeGuard;
import io.weir.topic.RecordLimits;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serializer;

/**
 * A topic that handlers emit to. All stream threads use its serializers.
 *
 * @param limits limits of its records
 * @param room maximum size of key and value, in bytes
 */
record Output<K, V>(
    String topic, Serializer<K> keys, Serializer<V> values, RecordLimits limits, int room) {
  /** Maximum size of a record, even if the topic allows more. */
  static final int MOST_RECORD_BYTES = 8 << 20;

  /**
   * An emitted record. It is serialized during the call, so that a failing serializer fails the
   * call.
   */
  record Emitted(Kind kind, String topic, byte[] key, byte[] value) {
    /** What is emitted: a record for a topic, or an event for a key. */
    enum Kind {
      RECORD,
      EVENT,
      SCHEDULED_EVENT
    }

    int bytes() {
      return (key == null ? 0 : key.length) + (value == null ? 0 : value.length);
    }
  }

  /** Rejects every record until its limits are set. */
  static <K, V> Output<K, V> of(String topic, Serializer<K> keys, Serializer<V> values) {
    return new Output<>(topic, keys, values, new RecordLimits(0, true, 0), 0);
  }

  Output<K, V> with(RecordLimits found, int mostRecordBytes) {
    int most = Math.min(found.maxBytes(), mostRecordBytes);
    int room = new SizeGuard(most).roomForValue(null, new RecordHeaders());
    RecordLimits limits = new RecordLimits(most, found.needsKey(), found.maxAgeMs());
    return new Output<>(topic, keys, values, limits, room);
  }

  // An object of a wrong class fails in the serializer, which fails the call.
  @SuppressWarnings("unchecked")
  Emitted serialize(Object key, Object value) {
    byte[] keyBytes = key == null ? null : copy(keys.serialize(topic, (K) key));
    byte[] valueBytes = value == null ? null : copy(values.serialize(topic, (V) value));
    if (keyBytes == null && limits.needsKey()) {
      throw new IllegalArgumentException(
          "a record without a key for " + topic + ", which is compacted: each record needs one");
    }
    Emitted emitted = new Emitted(Emitted.Kind.RECORD, topic, keyBytes, valueBytes);
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
}
