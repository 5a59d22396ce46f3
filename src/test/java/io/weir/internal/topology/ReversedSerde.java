package io.weir.internal.topology;

import com.google.protobuf.Internal;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import java.util.Map;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/** A shop's own serde: writes messages from their last byte to their first. */
public final class ReversedSerde implements Serde<Message> {
  private Message prototype;

  @Override
  @SuppressWarnings("unchecked") // Weir names the class of a message.
  public void configure(Map<String, ?> settings, boolean isKey) {
    prototype =
        Internal.getDefaultInstance(
            (Class<? extends Message>) settings.get("specific.protobuf.value.type"));
  }

  @Override
  public Serializer<Message> serializer() {
    return (topic, message) -> reversed(message.toByteArray());
  }

  @Override
  public Deserializer<Message> deserializer() {
    return (topic, value) -> {
      try {
        return prototype.getParserForType().parseFrom(reversed(value));
      } catch (InvalidProtocolBufferException e) {
        throw new SerializationException(e);
      }
    };
  }

  private static byte[] reversed(byte[] bytes) {
    byte[] reversed = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      reversed[i] = bytes[bytes.length - 1 - i];
    }
    return reversed;
  }
}
