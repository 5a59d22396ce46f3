package io.weir.internal.registry;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;
import io.weir.internal.wire.Frame;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Writes messages in Confluent's wire format, identical to Confluent's serializers; without {@code
 * schema.registry.url}, as bare protobuf. It calls the registry once for each topic and type. Safe
 * for many threads after {@link #configure}.
 */
public final class ProtobufSerializer<T extends Message> implements Serializer<T> {
  private record Place(String topic, Descriptor message) {}

  private final Map<Place, byte[]> heads = new ConcurrentHashMap<>();
  private MessageSchemas schemas;
  private boolean key;

  @Override
  public void configure(Map<String, ?> settings, boolean isKey) {
    RegistrySettings registry = RegistrySettings.of(settings);
    key = isKey;
    schemas = registry.isSet() ? new MessageSchemas(Registries.open(registry), registry) : null;
  }

  /**
   * Returns the bytes of a message.
   *
   * @throws RegistryException if the registry refuses the schema, or does not answer
   */
  @Override
  public byte[] serialize(String topic, T message) {
    if (message == null) {
      return null;
    }
    byte[] payload = message.toByteArray();
    return schemas == null
        ? payload
        : Frame.join(head(new Place(topic, message.getDescriptorForType())), payload);
  }

  @Override
  public byte[] serialize(String topic, Headers headers, T message) {
    return serialize(topic, message);
  }

  private byte[] head(Place place) {
    byte[] known = heads.get(place);
    if (known == null) {
      known = schemas.head(place.topic(), key, place.message());
      heads.put(place, known);
    }
    return known;
  }
}
