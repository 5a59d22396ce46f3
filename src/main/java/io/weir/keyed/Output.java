package io.weir.keyed;

import io.weir.deadletter.SizeGuard;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serializer;

/**
 * A topic that handlers emit to. Its serializers are used by all stream threads.
 *
 * @param maxRecordBytes largest record that it takes
 * @param room of it for key and value
 */
record Output<K, V>(
    String topic, Serializer<K> keys, Serializer<V> values, int maxRecordBytes, int room) {
  /** More is not sent in one record, whatever the topic takes. */
  static final int MOST_RECORD_BYTES = 8 << 20;

  /** A record of a call: bytes, as serializers are the handler's and fail with its call. */
  record Emitted(String topic, byte[] key, byte[] value) {
    int bytes() {
      return (key == null ? 0 : key.length) + (value == null ? 0 : value.length);
    }
  }

  Output<K, V> withMax(int bytes) {
    int most = Math.min(bytes, MOST_RECORD_BYTES);
    int room = new SizeGuard(most).roomForValue(null, new RecordHeaders());
    return new Output<>(topic, keys, values, most, room);
  }

  @SuppressWarnings("unchecked") // A wrong class fails in the serializer, and the call with it.
  Emitted serialize(Object key, Object value) {
    byte[] keyBytes = key == null ? null : keys.serialize(topic, (K) key);
    byte[] valueBytes = value == null ? null : values.serialize(topic, (V) value);
    Emitted emitted = new Emitted(topic, keyBytes, valueBytes);
    if (emitted.bytes() > room) {
      throw new IllegalArgumentException(
          "a record for %s of %d bytes; allowed are %d".formatted(topic, emitted.bytes(), room));
    }
    return emitted;
  }
}
