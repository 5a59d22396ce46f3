package io.weir.connect;

import io.weir.internal.wire.Protobuf;
import io.weir.internal.wire.UndecodableException;
import io.weir.summary.SummaryDeserializer;
import io.weir.v1.WindowKey;
import io.weir.v1.WindowSummary;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.storage.Converter;

/**
 * Converts summaries, bare or framed, to flat structs for sinks of Kafka Connect: the fields of
 * {@link WindowStructs}. As a key converter it reads the keys of {@code weir.latest} in protobuf.
 * It sends no request to a registry. Stateless after {@link #configure}; thread-safe.
 */
public final class WindowConverter implements Converter {
  /** Whether structs have the field histogram, a JSON text. */
  public static final String HISTOGRAM = "histogram";

  private static final ConfigDef CONFIG =
      new ConfigDef()
          .define(
              HISTOGRAM,
              ConfigDef.Type.BOOLEAN,
              false,
              ConfigDef.Importance.LOW,
              "Whether to add the histogram, a JSON text.");

  private final SummaryDeserializer summaries = new SummaryDeserializer();
  private WindowStructs structs = new WindowStructs(false);
  private boolean ofKeys;

  @Override
  public ConfigDef config() {
    return CONFIG;
  }

  @Override
  public void configure(Map<String, ?> settings, boolean isKey) {
    ofKeys = isKey;
    structs = new WindowStructs(new AbstractConfig(CONFIG, settings, false).getBoolean(HISTOGRAM));
  }

  /**
   * The struct of a summary or of a window's key; null for a null value.
   *
   * @throws DataException if it is neither, or has no sensor id
   */
  @Override
  public SchemaAndValue toConnectData(String topic, byte[] value) {
    if (value == null) {
      return SchemaAndValue.NULL;
    }
    try {
      if (ofKeys) {
        return structs.of(Protobuf.read(WindowKey.getDefaultInstance(), value));
      }
      WindowSummary window = summaries.deserialize(topic, value);
      if (window.getSensorId().isEmpty()) {
        throw new DataException("no window summary on " + topic + ": sensor_id is empty");
      }
      return structs.of(window);
    } catch (SerializationException e) {
      throw new DataException(e.getMessage(), e);
    } catch (UndecodableException e) {
      throw new DataException("not the key of a window on " + topic + ": " + e, e);
    }
  }

  /** Always throws a {@link DataException}: the converter is for sink connectors. */
  @Override
  public byte[] fromConnectData(String topic, Schema schema, Object value) {
    throw new DataException("WindowConverter only reads; it is for sink connectors");
  }
}
