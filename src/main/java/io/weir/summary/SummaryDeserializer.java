package io.weir.summary;

import io.weir.internal.wire.Protobuf;
import io.weir.internal.wire.UndecodableException;
import io.weir.v1.WindowSummary;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Deserializes summaries of the windows topic: bare protobuf or Confluent's frame; the first byte
 * distinguishes them. The schema id of a frame is ignored. Stateless; thread-safe.
 */
public final class SummaryDeserializer implements Deserializer<WindowSummary> {
  /**
   * The summary in a record's value; null for a null value.
   *
   * @throws SerializationException if the value is not a summary
   */
  @Override
  public WindowSummary deserialize(String topic, byte[] value) {
    if (value == null) {
      return null;
    }
    try {
      return Protobuf.framed(WindowSummary.getDefaultInstance(), value);
    } catch (UndecodableException e) {
      throw new SerializationException("not a window summary on " + topic + ": " + e, e);
    }
  }
}
