package io.weir.registry;

import com.google.protobuf.Message;
import io.weir.wire.UndecodableException;
import java.util.Map;
import org.apache.kafka.common.header.Headers;

/**
 * The form of payloads, which are protobuf, as values on topics: bare; in Confluent's wire format
 * where a registry is set; or as a serde has it that a setting names. Safe for many threads.
 */
public interface ValueFormat {
  /** Payloads to values of one topic. Safe for many threads. */
  interface Writer {
    /**
     * The value for a payload.
     *
     * @param headers of the record to be, which it may add to
     */
    byte[] write(byte[] payload, Headers headers);

    /** An upper bound of the bytes that it adds to a payload, where it knows one. */
    int mostAddedBytes();
  }

  /** Values of one topic to what a decoder takes. For one thread. */
  interface Reader {
    /**
     * Bare protobuf, or a frame of a message that is the right one. May wait for a registry.
     *
     * @throws UndecodableException if it is neither
     * @throws RegistryException if a registry gave no definite answer
     */
    byte[] admit(byte[] value, Headers headers) throws UndecodableException;
  }

  /** Writes bare protobuf; reads either form and checks no id. */
  ValueFormat BARE = new BareFormat();

  /**
   * The format that settings ask for.
   *
   * @throws org.apache.kafka.common.config.ConfigException if they cannot be
   */
  static ValueFormat of(Map<String, ?> settings) {
    if (settings.get(ProtobufSerde.SERDE_CLASS) != null) {
      return new SerdeFormat(settings);
    }
    RegistrySettings own = RegistrySettings.of(settings);
    return own.isSet() ? new FramedFormat(own, Registries.open(own)) : BARE;
  }

  /**
   * For a message on a topic. May ask the registry.
   *
   * @throws RegistryException if it does not have the schema, refuses it, or does not answer
   */
  Writer writer(String topic, Message message);

  /**
   * For a message on a topic; asks nothing yet.
   *
   * @param waitLimit waits where a registry gives no definite answer
   */
  Reader reader(String topic, Message message, WaitLimit waitLimit);
}
