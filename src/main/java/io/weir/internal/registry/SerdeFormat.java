package io.weir.internal.registry;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.weir.internal.registry.RegistryException.Kind;
import io.weir.internal.wire.Protobuf;
import io.weir.internal.wire.UndecodableException;
import java.io.IOException;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/**
 * The format of a configured serde. A value that the serde cannot read is not a batch, unless the
 * failure does not depend on the bytes: one of Kafka's that is not a SerializationException, or one
 * caused by an IOException. Then it is retried.
 */
final class SerdeFormat implements ValueFormat {
  /**
   * Reserve for bytes that a serde adds; records that exceed it are truncated if they are too
   * large.
   */
  private static final int MOST_ADDED_BYTES = 1024;

  private final Map<String, ?> settings;

  SerdeFormat(Map<String, ?> settings) {
    this.settings = Map.copyOf(settings);
  }

  private Serde<Message> serde(Message message) {
    @SuppressWarnings("unchecked") // getClass() of a message returns its class.
    Class<Message> type = (Class<Message>) message.getClass();
    return ProtobufSerde.of(type, settings);
  }

  @Override
  public Writer writer(String topic, Message message) {
    Serializer<Message> serializer = serde(message).serializer();
    return new Writer() {
      @Override
      public byte[] write(byte[] payload, Headers headers) {
        return serializer.serialize(topic, headers, Protobuf.own(message, payload));
      }

      @Override
      public int mostAddedBytes() {
        return MOST_ADDED_BYTES;
      }
    };
  }

  @Override
  public Reader reader(String topic, Message message, WaitLimit waitLimit) {
    Deserializer<Message> deserializer = serde(message).deserializer();
    String wanted = message.getDescriptorForType().getFullName();
    return (value, headers) -> {
      Message read = waitLimit.await(() -> read(deserializer, topic, headers, value));
      String found = read.getDescriptorForType().getFullName();
      if (!found.equals(wanted)) {
        throw UndecodableException.unknownSchema("message " + found + ", expected " + wanted);
      }
      return read.toByteArray();
    };
  }

  private static Message read(
      Deserializer<Message> deserializer, String topic, Headers headers, byte[] value)
      throws UndecodableException {
    try {
      Message read = deserializer.deserialize(topic, headers, value);
      if (read == null) {
        throw UndecodableException.malformed("no message");
      }
      return read;
    } catch (RegistryException | InterruptException e) {
      throw e;
    } catch (RuntimeException e) {
      if (saysNothingOfTheBytes(e)) {
        throw new RegistryException(Kind.UNAVAILABLE, e.toString(), e);
      }
      throw UndecodableException.malformed(e.toString());
    }
  }

  private static boolean saysNothingOfTheBytes(RuntimeException e) {
    if (e instanceof KafkaException && !(e instanceof SerializationException)) {
      return true;
    }
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException && !(cause instanceof InvalidProtocolBufferException)) {
        return true;
      }
    }
    return false;
  }
}
