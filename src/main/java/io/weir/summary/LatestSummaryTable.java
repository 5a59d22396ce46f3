package io.weir.summary;

import io.weir.v1.WindowSummary;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KTable;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A windows topic as a KTable: the last summary of each window, with an update per revision. Needs
 * kafka-streams, which is not a dependency of Weir's artefact.
 *
 * <p>The application must read committed records only: {@code processing.guarantee =
 * exactly_once_v2}, or {@code isolation.level = read_committed} for its consumers. Records are
 * keyed by sensor on the topic and by window in the table, so they go through a repartition topic,
 * named like the store. The table never expires windows.
 */
public final class LatestSummaryTable {
  private LatestSummaryTable() {}

  /**
   * Adds the table to a topology.
   *
   * @param topic the windows topic
   * @param store name of the table's store, for interactive queries
   */
  public static KTable<WindowKey, WindowSummary> of(
      StreamsBuilder builder, String topic, String store) {
    return builder.stream(
            topic, Consumed.with(Serdes.ByteArray(), summaries()).withName(store + "-source"))
        .selectKey((sensor, summary) -> WindowKey.of(summary), Named.as(store + "-by-window"))
        .toTable(
            Named.as(store),
            Materialized.<WindowKey, WindowSummary, KeyValueStore<Bytes, byte[]>>as(store)
                .withKeySerde(keys())
                .withValueSerde(summaries()));
  }

  /** Windows as bytes: start and end, 8 bytes each, big-endian, then the sensor id in UTF-8. */
  public static Serde<WindowKey> keys() {
    Serializer<WindowKey> serializer =
        (topic, key) -> {
          if (key == null) {
            return null;
          }
          byte[] id = key.sensorId().getBytes(StandardCharsets.UTF_8);
          return ByteBuffer.allocate(2 * Long.BYTES + id.length)
              .putLong(key.startMs())
              .putLong(key.endMs())
              .put(id)
              .array();
        };
    Deserializer<WindowKey> deserializer =
        (topic, bytes) -> {
          if (bytes == null) {
            return null;
          }
          ByteBuffer in = ByteBuffer.wrap(bytes);
          long startMs = in.getLong();
          long endMs = in.getLong();
          return new WindowKey(StandardCharsets.UTF_8.decode(in).toString(), startMs, endMs);
        };
    return Serdes.serdeFrom(serializer, deserializer);
  }

  /** Summaries as bytes: reads bare and framed messages, and writes bare ones. */
  public static Serde<WindowSummary> summaries() {
    Serializer<WindowSummary> serializer =
        (topic, summary) -> summary == null ? null : summary.toByteArray();
    return Serdes.serdeFrom(serializer, new SummaryDeserializer());
  }
}
