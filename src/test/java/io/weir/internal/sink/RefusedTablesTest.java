package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.app.WeirConfig;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.topic.Topic;
import io.weir.v1.Quality;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Late readings and dead letters in tables. */
@Timeout(120)
class RefusedTablesTest extends SinkTablesFixture {
  private static final TableMapping LATE = TableMapping.of(Topic.LATE, "plant.readings");
  private static final TableMapping DEAD = TableMapping.of(Topic.DEAD_LETTERS, "plant.readings");
  private static final long NOON_MS = 1_770_076_800_000L;

  private final Batch batch = new Batch();

  @BeforeEach
  void empty() throws SQLException {
    execute("truncate weir_late, weir_dead_letters, weir_late_deleted, weir_dead_letters_deleted");
  }

  private void add(TableMapping mapping, Origin source, byte[] value, String... headers) {
    ConsumerRecord<byte[], byte[]> record = record(value);
    Headers own = record.headers();
    DeadLetterHeaders.of(source).forEach(own::add);
    for (int i = 0; i < headers.length; i += 2) {
      DeadLetterHeaders.add(own, headers[i], headers[i + 1]);
    }
    batch.add(mapping, 1, record);
  }

  private static Origin source(long offset) {
    return new Origin("plant.readings", 3, offset);
  }

  private static Reading reading(String sensor, double value) {
    return Reading.newBuilder().setSensorId(sensor).setTimestampMs(NOON_MS).setValue(value).build();
  }

  private static Series series(String sensor, double... values) {
    Series.Builder series = Series.newBuilder().setSensorId(sensor).setStartTimestampMs(NOON_MS);
    for (double value : values) {
      series.addTimestampDeltaMs(1_000).addValue(value);
    }
    return series.build();
  }

  @Test
  void lateReadings_areARowEach_inBothForms_andOnceAfterAReset() throws Exception {
    ReadingBatch late =
        ReadingBatch.newBuilder()
            .setGatewayId("gateway-1")
            .addReadings(reading("a", 1))
            .addReadings(reading("a", 1))
            .addSeries(series("b", 2, -0.0, 2))
            .build();
    for (int pass = 0; pass < 2; pass++) {
      add(LATE, source(7), late.toByteArray(), DeadLetterHeaders.GATEWAY, "gateway-1");
      add(
          LATE,
          source(7),
          ReadingBatch.newBuilder().addReadings(reading("a", 1)).build().toByteArray(),
          DeadLetterHeaders.REASON,
          "WITHHELD");
      write(batch);
    }

    assertThat(
            strings(
                "select concat_ws(' ', reason, sensor_id, extract(epoch from event_time)::bigint,"
                    + " value, quality, readings, gateway_id, kafka_offset)"
                    + " from weir_late order by 1"))
        .containsExactly(
            "LATE a 1770076800 1 UNSPECIFIED 1 gateway-1 2",
            "LATE a 1770076800 1 UNSPECIFIED 1 gateway-1 2",
            "LATE b 1770076801 2 UNSPECIFIED 1 gateway-1 2",
            "LATE b 1770076802 -0 UNSPECIFIED 1 gateway-1 2",
            "LATE b 1770076803 2 UNSPECIFIED 1 gateway-1 2",
            "WITHHELD a 1770076800 1 UNSPECIFIED 1 3");
    assertThat(strings("select count(*) from weir_dead_letters")).containsExactly("0");
  }

  @Test
  void deadLetters_areReadings_orWholeRecords() throws Exception {
    ReadingBatch refused =
        ReadingBatch.newBuilder()
            .addReadings(reading("nul\0", Double.NaN).toBuilder().setQuality(Quality.QUALITY_BAD))
            .addReadings(reading("x".repeat(5_000), 1).toBuilder().setTimestampMs(Long.MAX_VALUE))
            .addSeries(series("broken", 1, 2).toBuilder().addValue(3))
            .build();
    String reason = DeadLetterHeaders.REASON;
    add(DEAD, source(1), refused.toByteArray(), reason, "INVALID_VALUE");
    add(DEAD, source(2), refused.toByteArray(), reason, "FENCED");
    add(DEAD, source(3), new byte[] {1, 2, 3}, reason, "UNDECODABLE");
    add(DEAD, source(4), null, reason, "UNDECODABLE");
    for (String application : List.of("events", "handler")) {
      add(
          DEAD,
          new Origin("weir.events", 3, 1),
          refused.toByteArray(),
          reason,
          "INVALID_TIMESTAMP",
          DeadLetterHeaders.APPLICATION,
          application);
    }
    assertThat(write(batch)).isEmpty();

    assertThat(
            strings(
                "select concat_ws(' ', source_topic, source_offset, reason, left(sensor_id, 4), value,"
                    + " quality, event_time is null, readings, application)"
                    + " from weir_dead_letters order by 1"))
        .containsExactly(
            "plant.readings 1 INVALID_VALUE nul\uFFFD NaN BAD f 1",
            "plant.readings 1 INVALID_VALUE t 3",
            "plant.readings 1 INVALID_VALUE xxxx 1 UNSPECIFIED t 1",
            "plant.readings 2 FENCED t 5",
            "plant.readings 3 UNDECODABLE t",
            "plant.readings 4 UNDECODABLE t",
            "weir.events 1 INVALID_TIMESTAMP t events",
            "weir.events 1 INVALID_TIMESTAMP t handler");
  }

  @Test
  void both_areWrittenOnRequest() {
    assertThat(WeirConfig.of(new Properties(), Map.of(), Map.of()).sink().topics())
        .containsExactly(Topic.WINDOWS);
    Map<String, String> named = Map.of("sink.topics", "late,dead-letters", "topic.late", "later");
    assertThat(Sink.mappings(WeirConfig.of(new Properties(), Map.of(), named)).keySet())
        .containsExactly("later", "weir.dead-letters");
  }

  @Test
  void both_areDeletedAfterTheRetention() throws Exception {
    byte[] late = ReadingBatch.newBuilder().addReadings(reading("a", 1)).build().toByteArray();
    add(LATE, source(1), late);
    add(LATE, source(2), late);
    add(DEAD, source(3), late, DeadLetterHeaders.REASON, "MISROUTED");
    write(batch);
    execute("update weir_late set appended_at = now() - interval '1 hour' where source_offset = 2");

    new Upkeep(List.of(WINDOWS, LATE, DEAD), Optional.of(Duration.ofDays(1)), Validation.NONE)
        .run(connection, 0);

    assertThat(strings("select source_offset from weir_late")).containsExactly("2");
    assertThat(strings("select count(*) from weir_dead_letters")).containsExactly("0");
    assertThat(strings("select reason || deleted from weir_dead_letters_deleted"))
        .containsExactly("MISROUTED1");
  }
}
