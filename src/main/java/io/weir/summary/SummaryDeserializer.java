package io.weir.summary;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.UndecodableException;
import io.weir.v1.WindowSummary;
import java.io.IOException;
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
      int payload = Frame.payloadOffset(value);
      return WindowSummary.parseFrom(
          CodedInputStream.newInstance(value, payload, value.length - payload));
    } catch (InvalidProtocolBufferException | UndecodableException e) {
      throw new SerializationException("not a window summary on " + topic + ": " + e, e);
    } catch (IOException e) {
      throw new IllegalStateException(e); // An array throws none.
    }
  }
}
