package io.weir.keyed;

import io.weir.deadletter.SizeGuard;
import io.weir.topic.RecordLimits;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serializer;

/**
 * A topic that handlers emit to. Its serializers are used by all stream threads.
 *
 * @param limits of the records that it takes
 * @param room for key and value
 */
record Output<K, V>(
    String topic, Serializer<K> keys, Serializer<V> values, RecordLimits limits, int room) {
  /** More is not sent in one record, whatever the topic takes. */
  static final int MOST_RECORD_BYTES = 8 << 20;

  /** A record of a call: bytes, as serializers are the handler's and fail with its call. */
  record Emitted(String topic, byte[] key, byte[] value) {
    int bytes() {
      return (key == null ? 0 : key.length) + (value == null ? 0 : value.length);
    }
  }

  /** What is emitted before is refused. */
  static <K, V> Output<K, V> of(String topic, Serializer<K> keys, Serializer<V> values) {
    return new Output<>(topic, keys, values, new RecordLimits(0, true, 0), 0);
  }

  Output<K, V> with(RecordLimits found, int mostRecordBytes) {
    int most = Math.min(found.maxBytes(), mostRecordBytes);
    int room = new SizeGuard(most).roomForValue(null, new RecordHeaders());
    RecordLimits limits = new RecordLimits(most, found.needsKey(), found.maxAgeMs());
    return new Output<>(topic, keys, values, limits, room);
  }

  @SuppressWarnings("unchecked") // A wrong class fails in the serializer, and the call with it.
  Emitted serialize(Object key, Object value) {
    byte[] keyBytes = key == null ? null : keys.serialize(topic, (K) key);
    byte[] valueBytes = value == null ? null : values.serialize(topic, (V) value);
    if (keyBytes == null && limits.needsKey()) {
      throw new IllegalArgumentException(
          "a record without a key for " + topic + ", which is compacted: each record needs one");
    }
    Emitted emitted = new Emitted(topic, keyBytes, valueBytes);
    if (emitted.bytes() > room) {
      throw new IllegalArgumentException(
          "a record for %s of %d bytes; expected: %d".formatted(topic, emitted.bytes(), room));
    }
    return emitted;
  }
}
