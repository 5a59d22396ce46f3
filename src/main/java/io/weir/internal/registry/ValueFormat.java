package io.weir.internal.registry;

import com.google.protobuf.Message;
import io.weir.internal.wire.UndecodableException;
import java.util.Map;
import org.apache.kafka.common.header.Headers;

/**
 * The format of protobuf payloads as values on topics: bare; in Confluent's wire format if a
 * registry is set; or that of a configured serde. Safe for many threads.
 */
public interface ValueFormat {
  /** Converts payloads to values of one topic. Safe for many threads. */
  interface Writer {
    /**
     * Returns the value of a payload.
     *
     * @param headers headers of the new record, to which it may add
     */
    byte[] write(byte[] payload, Headers headers);

    /** The maximum number of bytes that it adds to a payload, if known. */
    int mostAddedBytes();
  }

  /** Converts values of one topic to the input of a decoder. For one thread. */
  interface Reader {
    /**
     * Accepts bare protobuf, or a frame with the expected message. May wait for a registry.
     *
     * @throws UndecodableException if it is neither
     * @throws RegistryException if the registry gave no definite answer
     */
    byte[] admit(byte[] value, Headers headers) throws UndecodableException;
  }

  /** Writes bare protobuf; reads either form and checks no id. */
  ValueFormat BARE = new BareFormat();

  /**
   * The configured format.
   *
   * @throws org.apache.kafka.common.config.ConfigException if a setting is invalid
   */
  static ValueFormat of(Map<String, ?> settings) {
    if (settings.get(ProtobufSerde.SERDE_CLASS) != null) {
      return new SerdeFormat(settings);
    }
    RegistrySettings registry = RegistrySettings.of(settings);
    return registry.isSet() ? new FramedFormat(registry, Registries.open(registry)) : BARE;
  }

  /**
   * The writer of a message on a topic. May call the registry.
   *
   * @throws RegistryException if the schema is missing or refused, or the registry does not answer
   */
  Writer writer(String topic, Message message);

  /**
   * The reader of a message on a topic; does not call the registry yet.
   *
   * @param waitLimit limits the wait for a definite answer
   */
  Reader reader(String topic, Message message, WaitLimit waitLimit);
}
