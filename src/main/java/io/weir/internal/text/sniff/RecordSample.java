package io.weir.internal.text.sniff;

import io.weir.internal.text.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * A record of a topic that another program writes.
 *
 * @param key null if it has none
 * @param value null for a tombstone
 * @param headers the last of each name; values may be null
 * @param appended whether its time is that of the broker
 */
public record RecordSample(
    byte[] key, byte[] value, Map<String, byte[]> headers, boolean appended) {
  /**
   * A schema as a registry has it.
   *
   * @param type AVRO, PROTOBUF or JSON
   */
  public record Schema(String type, String text) {}

  /** Where schemas are asked for by id. */
  @FunctionalInterface
  public interface Schemas {
    /** The schema; empty if it could not be had. */
    Optional<Schema> find(int id);
  }

  /** The bytes from there on as text; empty if they are none. */
  static Optional<String> text(byte[] bytes, int from) {
    if (bytes == null || !Utf8.isValid(bytes, from, bytes.length)) {
      return Optional.empty();
    }
    String text = new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
    boolean control = text.chars().anyMatch(c -> c < ' ' && c != '\n' && c != '\r' && c != '\t');
    return control ? Optional.empty() : Optional.of(text);
  }
}
