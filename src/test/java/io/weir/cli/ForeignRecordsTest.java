package io.weir.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.internal.app.WeirConfig;
import io.weir.internal.imports.RecordReader;
import io.weir.reading.Reading;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.json.JsonConverter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records as other programs write them, with the options of docs/import.md. */
class ForeignRecordsTest {
  private static final long NOW = 1_764_201_600_000L;
  private static final Schema ROW =
      SchemaBuilder.struct()
          .name("row")
          .field("sensor", Schema.STRING_SCHEMA)
          .field("at", Timestamp.SCHEMA)
          .field("value", Schema.OPTIONAL_FLOAT64_SCHEMA)
          .field("raw", Schema.BYTES_SCHEMA)
          .build();

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void connectsJsonConverter_withItsEnvelopeOrWithout(boolean envelope) throws Exception {
    try (JsonConverter converter = new JsonConverter(false)) {
      converter.configure(Map.of("schemas.enable", envelope), false);
      Struct row =
          new Struct(ROW)
              .put("sensor", "press-1")
              .put("at", new Date(NOW))
              .put("value", 71.5)
              .put("raw", ByteBuffer.wrap(new byte[] {0, -1}));
      RecordReader reader =
          reader(
              "--json-sensor-id",
              "$.sensor",
              "--json-timestamp",
              "$.at",
              "--json-value",
              "$.value");
      assertThat(read(reader, converter.fromConnectData("raw", ROW, row)))
          .containsExactly(new Reading("press-1", NOW, 71.5));

      Struct without = new Struct(ROW).put("sensor", "a").put("at", new Date(NOW));
      without.put("raw", ByteBuffer.allocate(0));
      assertThat(read(reader, converter.fromConnectData("raw", ROW, without))).isEmpty();
      assertThat(reader.refused()).isEmpty();
    }
  }

  @Test
  void telegrafs_influx() throws Exception {
    String lines =
        "cpu,host=a idle=5,user=2i " + NOW + "000000\nmem,host=a free=7 " + NOW + "000001\n";
    assertThat(read(reader("--format", "line"), lines.getBytes(UTF_8)))
        .extracting(Reading::timestampMs, Reading::value)
        .containsExactly(tuple(NOW, 5.0), tuple(NOW, 2.0), tuple(NOW, 7.0));
  }

  private static final String METRIC =
      "{\"fields\":{\"idle\":%d,\"user\":2},\"name\":\"cpu\",\"tags\":{\"host\":\"%s\"},\"timestamp\":%d}";

  @Test
  void telegrafs_json() throws Exception {
    RecordReader reader =
        reader(
            "--json-value",
            "$.fields.*",
            "--json-timestamp",
            "$.timestamp",
            "--time-format",
            "epoch-s",
            "--sensor-id",
            "{path:$.name}/{path:$.tags.host}/{column}");
    assertThat(read(reader, METRIC.formatted(5, "a", NOW / 1_000).getBytes(UTF_8)))
        .containsExactly(new Reading("cpu/a/idle", NOW, 5), new Reading("cpu/a/user", NOW, 2));
  }

  @Test
  void telegrafs_jsonInBatches() throws Exception {
    RecordReader reader =
        reader(
            "--json-value",
            "$.metrics[*].fields.*",
            "--json-timestamp",
            "$.metrics[*].timestamp",
            "--time-format",
            "epoch-s",
            "--sensor-id",
            "{path:$.metrics[*].tags.host}/{column}");
    String metrics =
        METRIC.formatted(5, "a", NOW / 1_000) + "," + METRIC.formatted(6, "b", NOW / 1_000 + 1);
    assertThat(read(reader, ("{\"metrics\":[" + metrics + "]}").getBytes(UTF_8)))
        .containsExactly(
            new Reading("a/idle", NOW, 5),
            new Reading("a/user", NOW, 2),
            new Reading("b/idle", NOW + 1_000, 6),
            new Reading("b/user", NOW + 1_000, 2));
  }

  @Test
  void auto_decidesForEachRecord() throws Exception {
    RecordReader reader =
        reader("--format", "auto", "--json-value", "$.v", "--json-timestamp", "$.t");
    assertThat(read(reader, ("{\"v\":1,\"t\":" + NOW + "}").getBytes(UTF_8)))
        .containsExactly(new Reading("k", NOW, 1));
    byte[] framed = ("\0\0\0\0\7{\"v\":2,\"t\":" + NOW + "}").getBytes(UTF_8);
    assertThat(read(reader, framed)).containsExactly(new Reading("k", NOW, 2));
    assertThat(read(reader, " -2.5\n".getBytes(UTF_8))).containsExactly(new Reading("k", 7, -2.5));
    assertThat(read(reader, ("cpu,host=a idle=5 " + NOW + "000000").getBytes(UTF_8)))
        .extracting(Reading::timestampMs, Reading::value)
        .containsExactly(tuple(NOW, 5.0));
    assertThat(read(reader, ("timestamp,value\n" + NOW + ",3\n").getBytes(UTF_8)))
        .containsExactly(new Reading("k", NOW, 3));
    assertThat(read(reader, "off".getBytes(UTF_8))).isEmpty();
    assertThat(reader.refused()).hasSize(1);
  }

  private static RecordReader reader(String... options) {
    List<String> words = new ArrayList<>(List.of("raw", "--name", "raw"));
    words.addAll(List.of(options));
    return ImportCommand.reader(words, WeirConfig.of(new Properties(), Map.of(), Map.of()));
  }

  private static List<Reading> read(RecordReader reader, byte[] value) throws Exception {
    reader.read(
        new ConsumerRecord<>(
            "raw",
            0,
            0,
            7,
            TimestampType.CREATE_TIME,
            1,
            value.length,
            new byte[] {'k'},
            value,
            new RecordHeaders(),
            Optional.empty()));
    return reader.good();
  }
}
