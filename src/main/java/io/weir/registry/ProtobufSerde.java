package io.weir.registry;

import com.google.protobuf.Message;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Utils;

/**
 * Messages of one type, for any Kafka Streams application: see {@link ProtobufSerializer} and
 * {@link ProtobufDeserializer}. {@link #of} gives another serde where a setting names one.
 */
public final class ProtobufSerde<T extends Message> extends Serdes.WrapperSerde<T> {
  /** A setting: the class of a serde that takes this one's place. */
  public static final String SERDE_CLASS = "weir.serde.class";

  /** Wants its type as a setting: see {@link ProtobufDeserializer#VALUE_TYPE}. */
  public ProtobufSerde() {
    super(new ProtobufSerializer<>(), new ProtobufDeserializer<>());
  }

  /** Is to be configured before it is used. */
  public ProtobufSerde(Class<T> type) {
    super(new ProtobufSerializer<>(), new ProtobufDeserializer<>(type));
  }

  /**
   * A serde for values, configured: this one, or that of the class which the settings name, which
   * gets the same settings and the type as {@link ProtobufDeserializer#VALUE_TYPE}.
   *
   * @throws ConfigException if there is no such serde
   */
  public static <T extends Message> Serde<T> of(Class<T> type, Map<String, ?> settings) {
    Map<String, Object> own = new HashMap<>(settings);
    own.put(ProtobufDeserializer.VALUE_TYPE, type);
    Serde<T> serde = settings.get(SERDE_CLASS) == null ? new ProtobufSerde<>(type) : named(own);
    serde.configure(own, false);
    return serde;
  }

  @SuppressWarnings("unchecked") // What it is a serde of, nobody can see before it is used.
  private static <T> Serde<T> named(Map<String, Object> settings) {
    Object name = settings.get(SERDE_CLASS);
    try {
      return name instanceof Class<?> given
          ? (Serde<T>) Utils.newInstance(given)
          : Utils.newInstance(name.toString(), Serde.class);
    } catch (ClassNotFoundException | ClassCastException e) {
      throw new ConfigException(
          SERDE_CLASS, name, "expected: the name of a class that is there and a Serde");
    }
  }
}
