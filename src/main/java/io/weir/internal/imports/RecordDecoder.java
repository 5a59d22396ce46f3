package io.weir.internal.imports;

import io.weir.internal.registry.RegistryException;
import io.weir.internal.wire.UndecodableException;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Decodes records that are no text into values as JSON has them: maps, lists, texts, {@link
 * io.weir.internal.text.JsonValues.Literal numbers}, and times as {@link java.time.Instant} or
 * {@link java.time.LocalDateTime}. One thread.
 */
public interface RecordDecoder {
  /** Most values in a record: arrays of nothing take no bytes. */
  int MAX_VALUES = 1_000_000;

  /** Deepest nesting. */
  int MAX_DEPTH = 256;

  /**
   * Gets what the decoding of a record needs and others have, before a transaction begins.
   *
   * @throws RegistryException if a registry gave no answer about its schema
   */
  default void prepare(ConsumerRecord<byte[], byte[]> record) {}

  /**
   * Returns the values of a record; null is no value.
   *
   * @throws UndecodableException if it cannot be decoded
   * @throws RegistryException if a registry gave no answer about its schema
   */
  List<Object> decode(ConsumerRecord<byte[], byte[]> record) throws UndecodableException;
}
