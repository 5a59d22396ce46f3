package io.weir.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.v1.WindowSummary;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.Test;

class LatestSummaryTableTest {
  @Test
  void table_ofRevisions_holdsTheLastOfEachWindow() {
    StreamsBuilder builder = new StreamsBuilder();
    LatestSummaryTable.of(builder, "windows", "summaries");
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "summaries-test");
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
    settings.put(StreamsConfig.STATE_DIR_CONFIG, "target/latest-summary-table");
    settings.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
    try (TopologyTestDriver driver = new TopologyTestDriver(builder.build(), settings)) {
      TestInputTopic<byte[], byte[]> windows =
          driver.createInputTopic("windows", new ByteArraySerializer(), new ByteArraySerializer());
      windows.pipeInput(summary("a", 0, 1, 0).toByteArray());
      windows.pipeInput(summary("ü", 0, 5, 0).toByteArray());
      windows.pipeInput(summary("a", 10, 2, 0).toByteArray());
      windows.pipeInput(framed(summary("a", 0, 3, 1)));

      Map<WindowKey, Long> counts = new HashMap<>();
      try (var all = driver.<WindowKey, WindowSummary>getKeyValueStore("summaries").all()) {
        all.forEachRemaining(entry -> counts.put(entry.key, entry.value.getCount()));
      }
      assertThat(counts)
          .isEqualTo(
              Map.of(
                  new WindowKey("a", 0, 10), 3L,
                  new WindowKey("ü", 0, 10), 5L,
                  new WindowKey("a", 10, 20), 2L));
    }
  }

  @Test
  void deserializer_ofWhatIsNoSummary_namesTheTopic() {
    assertThatThrownBy(() -> new SummaryDeserializer().deserialize("w", new byte[] {1, 2, 3}))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("not a window summary on w");
    assertThatThrownBy(() -> new SummaryDeserializer().deserialize("w", new byte[] {0, 0}))
        .isInstanceOf(SerializationException.class);
    assertThat(new SummaryDeserializer().deserialize("w", null)).isNull();
  }

  @Test
  void keys_asBytes_comeBack() {
    WindowKey key = new WindowKey("温度-1", -10, Long.MAX_VALUE);
    byte[] bytes = LatestSummaryTable.keys().serializer().serialize("t", key);
    assertThat(LatestSummaryTable.keys().deserializer().deserialize("t", bytes)).isEqualTo(key);
  }

  static WindowSummary summary(String sensor, long startMs, long count, int revision) {
    return WindowSummary.newBuilder()
        .setSensorId(sensor)
        .setWindowStartMs(startMs)
        .setWindowEndMs(startMs + 10)
        .setCount(count)
        .setRevision(revision)
        .build();
  }

  /** As Confluent's serializer writes it: magic 0, the schema's id, message [0], payload. */
  static byte[] framed(WindowSummary summary) {
    byte[] payload = summary.toByteArray();
    byte[] framed = new byte[6 + payload.length];
    framed[4] = 77;
    System.arraycopy(payload, 0, framed, 6, payload.length);
    return framed;
  }
}
