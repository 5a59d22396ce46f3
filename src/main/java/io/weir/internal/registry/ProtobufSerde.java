package io.weir.internal.registry;

import com.google.protobuf.Message;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Utils;

/**
 * Messages of one type, for any Kafka Streams application: see {@link ProtobufSerializer} and
 * {@link ProtobufDeserializer}. {@link #of} creates another serde if a setting names one.
 */
public final class ProtobufSerde<T extends Message> extends Serdes.WrapperSerde<T> {
  /** A setting: the class of a serde that replaces this one. */
  public static final String SERDE_CLASS = "weir.serde.class";

  /** Needs its type as a setting: see {@link ProtobufDeserializer#VALUE_TYPE}. */
  public ProtobufSerde() {
    super(new ProtobufSerializer<>(), new ProtobufDeserializer<>());
  }

  /** Must be configured before use. */
  public ProtobufSerde(Class<T> type) {
    super(new ProtobufSerializer<>(), new ProtobufDeserializer<>(type));
  }

  /**
   * Creates a configured serde for values: this one, or that of the class in the settings, which
   * receives the same settings and the type as {@link ProtobufDeserializer#VALUE_TYPE}.
   *
   * @throws ConfigException if the class is not a serde
   */
  public static <T extends Message> Serde<T> of(Class<T> type, Map<String, ?> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put(ProtobufDeserializer.VALUE_TYPE, type);
    Serde<T> serde = settings.get(SERDE_CLASS) == null ? new ProtobufSerde<>(type) : named(all);
    serde.configure(all, false);
    return serde;
  }

  @SuppressWarnings("unchecked") // Its type is unknown before its use.
  private static <T> Serde<T> named(Map<String, Object> settings) {
    Object name = settings.get(SERDE_CLASS);
    try {
      return name instanceof Class<?> given
          ? (Serde<T>) Utils.newInstance(given)
          : Utils.newInstance(name.toString(), Serde.class);
    } catch (ClassNotFoundException | ClassCastException e) {
      throw new ConfigException(
          SERDE_CLASS, name, "expected: the name of an available class that is a Serde");
    }
  }
}
