package io.weir.summary;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.v1.WindowSummary;
import io.weir.wire.Frame;
import io.weir.wire.UndecodableException;
import java.io.IOException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Summaries as they are on the windows topic: bare protobuf or in Confluent's frame; the first byte
 * distinguishes them. A frame's schema id is not looked up. Stateless, for any thread.
 */
public final class SummaryDeserializer implements Deserializer<WindowSummary> {
  /**
   * The summary in a record's value; null for a value that is not there.
   *
   * @throws SerializationException where the value is none
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
      throw new SerializationException("no summary of a window on " + topic + ": " + e, e);
    } catch (IOException e) {
      throw new IllegalStateException(e); // An array throws none.
    }
  }
}
