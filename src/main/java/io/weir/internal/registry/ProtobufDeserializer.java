package io.weir.internal.registry;

import com.google.protobuf.Internal;
import com.google.protobuf.Message;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.FrameHead;
import io.weir.internal.wire.MessageIndexes;
import io.weir.internal.wire.Protobuf;
import io.weir.internal.wire.UndecodableException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.utils.Utils;

/**
 * Reads bare messages of one type, and messages with a schema id before the payload or in a header.
 * With {@code schema.registry.url} the schema must be registered and its message must have that
 * type; without it the message indexes must be those of the type. Safe for many threads after
 * {@link #configure}.
 */
public final class ProtobufDeserializer<T extends Message> implements Deserializer<T> {
  /** Confluent's setting for the type of values, if the constructor does not set it. */
  public static final String VALUE_TYPE = "specific.protobuf.value.type";

  public static final String KEY_TYPE = "specific.protobuf.key.type";

  private final Set<FrameHead> checked = ConcurrentHashMap.newKeySet();
  private Class<T> type;
  private T prototype;
  private MessageCheck check;
  private String header = FrameHead.HEADER;

  /** Needs the type as a setting. */
  public ProtobufDeserializer() {}

  public ProtobufDeserializer(Class<T> type) {
    this.type = type;
  }

  @Override
  public void configure(Map<String, ?> settings, boolean isKey) {
    if (type == null) {
      type = type(isKey ? KEY_TYPE : VALUE_TYPE, settings);
    }
    prototype = Internal.getDefaultInstance(type);
    header = isKey ? FrameHead.KEY_HEADER : FrameHead.HEADER;
    RegistrySettings registry = RegistrySettings.of(settings);
    check =
        registry.isSet()
            ? new MessageCheck(Registries.open(registry), prototype.getDescriptorForType())
            : null;
  }

  @SuppressWarnings("unchecked") // A setting with another type than T results in that type.
  private static <T> Class<T> type(String name, Map<String, ?> settings) {
    Object value = settings.get(name);
    try {
      Class<?> named =
          value instanceof Class<?> given
              ? given
              : Utils.loadClass(String.valueOf(value), Message.class);
      return (Class<T>) named;
    } catch (ClassNotFoundException e) {
      throw new ConfigException(name, value, "expected: the class of a generated message");
    }
  }

  @Override
  public T deserialize(String topic, byte[] value) {
    return deserialize(topic, null, value);
  }

  /**
   * Reads a message.
   *
   * @param headers may be null
   * @throws SerializationException if it is not a message of the type
   * @throws RegistryException if the registry does not answer
   */
  @Override
  public T deserialize(String topic, Headers headers, byte[] value) {
    if (value == null) {
      return null;
    }
    try {
      boolean framed = Frame.isFramed(value);
      FrameHead head = framed ? FrameHead.read(value) : FrameHead.beside(headers, header);
      if (head != null) {
        require(head);
      }
      int offset = framed ? head.length() : 0;
      return Protobuf.read(prototype, value, offset);
    } catch (UndecodableException e) {
      throw new SerializationException(
          "a record of " + topic + " is not a " + type.getSimpleName() + ": " + e.getMessage(), e);
    }
  }

  private void require(FrameHead head) throws UndecodableException {
    if (check == null) {
      requireIndexes(head.message());
    } else if (!checked.contains(head)) {
      check.require(head);
      checked.add(head);
    }
  }

  private void requireIndexes(MessageIndexes message) throws UndecodableException {
    if (!message.equals(MessageIndexes.of(prototype.getDescriptorForType()))) {
      throw UndecodableException.unknownSchema("frame has another message: " + message.path());
    }
  }
}
