package io.weir.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.weir.topic.Topic;
import io.weir.v1.CloseReason;
import io.weir.v1.Completeness;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.FoldedEvent;
import io.weir.v1.FoldedField;
import io.weir.v1.Quality;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import io.weir.v1.Value;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class RecordJsonTest {
  private static final String PLACE = "\"topic\":\"t\",\"partition\":7,\"offset\":9}";

  @Test
  void summary_withNumbersOf64Bits_keepsThemNumbers() {
    WindowSummary summary =
        WindowSummary.newBuilder()
            .setSensorId("Wärme \"1\"\n")
            .setWindowStartMs(9_007_199_254_740_993L)
            .setCount(-1)
            .setSum(0.1)
            .setMin(Double.NEGATIVE_INFINITY)
            .setMax(Double.NaN)
            .setRevision(-1)
            .setCloseReason(CloseReason.CLOSE_REASON_IDLE)
            .build();
    assertThat(line(Topic.WINDOWS, summary.toByteArray()))
        .isEqualTo(
            "{\"sensor_id\":\"Wärme \\\"1\\\"\\n\",\"window_start_ms\":9007199254740993,"
                + "\"window_end_ms\":0,\"count\":18446744073709551615,\"sum\":0.1,"
                + "\"min\":\"-Infinity\",\"max\":\"NaN\",\"revision\":4294967295,"
                + "\"close_reason\":\"CLOSE_REASON_IDLE\",\"bad_count\":0,"
                + PLACE);
  }

  @Test
  void batch_ofBothForms_showsBoth() {
    ReadingBatch batch =
        ReadingBatch.newBuilder()
            .setGatewayId("g")
            .setBootId(-1)
            .setSequence(2)
            .addReadings(
                Reading.newBuilder()
                    .setSensorId("a")
                    .setTimestampMs(5)
                    .setValue(-1.5)
                    .setQuality(Quality.QUALITY_BAD))
            .addSeries(
                Series.newBuilder()
                    .setSensorId("b")
                    .setStartTimestampMs(6)
                    .addTimestampDeltaMs(-1)
                    .addValue(1e300)
                    .addQualityValue(77))
            .addComplete(Completeness.newBuilder().setSensorId("b").setThroughMs(6))
            .setOrdered(true)
            .build();
    assertThat(line(Topic.READINGS, batch.toByteArray()))
        .isEqualTo(
            "{\"gateway_id\":\"g\",\"boot_id\":18446744073709551615,\"boot_id_text\":\"18446744073709551615\",\"sequence\":2,"
                + "\"readings\":[{\"sensor_id\":\"a\",\"timestamp_ms\":5,\"value\":-1.5,"
                + "\"quality\":\"QUALITY_BAD\"}],\"series\":[{\"sensor_id\":\"b\","
                + "\"start_timestamp_ms\":6,\"timestamp_delta_ms\":[-1],\"value\":[1.0E300],"
                + "\"quality\":[77]}],\"complete\":[{\"sensor_id\":\"b\",\"through_ms\":6}],"
                + "\"ordered\":true,"
                + PLACE);
  }

  @Test
  void deadLetter_undecodableWithOddHeaders_isShownWhole() {
    ConsumerRecord<byte[], byte[]> record = record(new byte[] {1, 2, 3});
    record
        .headers()
        .add("weir.reason", "UNDECODABLE".getBytes(StandardCharsets.UTF_8))
        .add("twice", new byte[] {'1'})
        .add("twice", new byte[] {'2'})
        .add("raw", new byte[] {(byte) 0xff})
        .add("nothing", null);
    assertThat(RecordJson.line(Topic.DEAD_LETTERS, record))
        .isEqualTo(
            "{\"value_base64\":\"AQID\",\"headers\":{\"weir.reason\":\"UNDECODABLE\","
                + "\"twice\":\"2\",\"raw_base64\":\"/w==\",\"nothing\":null},"
                + PLACE);
  }

  /** As a batch of readings it would be a sensor without values. */
  @Test
  void lastSummary_thatIsNoJson_isShownAsBytes() {
    Topic latest = Topic.WINDOWS.latest().orElseThrow();
    for (String value : new String[] {"{", "{\"a\":1}{", "{\"a\":" + "[".repeat(2_000)}) {
      assertThat(RecordJson.line(latest, record(value.getBytes(StandardCharsets.UTF_8))))
          .startsWith("{\"value_base64\":");
    }
    assertThat(RecordJson.line(latest, record("{\"a\":1}".getBytes(StandardCharsets.UTF_8))))
        .startsWith("{\"a\":1,");
  }

  @Test
  void deadLetter_ofEvents_showsEvents() {
    Event event = Event.newBuilder().setKey("line-1").setTimestampMs(-5).build();
    ConsumerRecord<byte[], byte[]> record =
        record(EventBatch.newBuilder().addEvents(event).build().toByteArray());
    record.headers().add("__streams.errors.topic", "plant.events".getBytes(StandardCharsets.UTF_8));
    Topic content = TopicMessages.content(Topic.DEAD_LETTERS, record, Set.of("plant.events"));

    assertThat(RecordJson.line(Topic.DEAD_LETTERS, content, record, Optional.empty(), false))
        .contains("\"events\":[{\"key\":\"line-1\"", "\"headers\":{")
        .doesNotContain("sensor_id");
    assertThat(TopicMessages.content(Topic.DEAD_LETTERS, record, Set.of("weir.events")))
        .isEqualTo(Topic.DEAD_LETTERS);
    assertThat(
            TopicMessages.content(Topic.DEAD_LETTERS, record(new byte[0]), Set.of("plant.events")))
        .isEqualTo(Topic.DEAD_LETTERS);
  }

  @Test
  void event_valuesAreThemselves() {
    Event event =
        Event.newBuilder()
            .setKey("account_1")
            .setTimestampMs(5)
            .putFields("likes", Value.newBuilder().setInt64Value(9_007_199_254_740_993L).build())
            .putFields("ratio", Value.newBuilder().setDoubleValue(0.5).build())
            .putFields("text", Value.newBuilder().setStringValue("\"ä").build())
            .putFields("live", Value.newBuilder().setBoolValue(false).build())
            .putFields(
                "raw", Value.newBuilder().setBytesValue(ByteString.copyFromUtf8("x")).build())
            .putFields("none", Value.newBuilder().setNullValue(true).build())
            .build();
    assertThat(line(Topic.EVENTS, EventBatch.newBuilder().addEvents(event).build().toByteArray()))
        .isEqualTo(
            "{\"gateway_id\":\"\",\"boot_id\":0,\"boot_id_text\":\"0\",\"sequence\":0,\"events\":["
                + "{\"key\":\"account_1\",\"subject\":\"\",\"type\":\"\",\"timestamp_ms\":5,"
                + "\"fields\":{\"likes\":9007199254740993,\"ratio\":0.5,\"text\":\"\\\"ä\","
                + "\"live\":false,\"raw\":\"eA==\",\"none\":null},"
                + "\"id\":\"\",\"due_ms\":0,\"every_ms\":0,\"cancel\":false,\"start\":false,"
                + "\"missed\":0,\"field_timestamps_ms\":{},\"expires_ms\":0}],"
                + PLACE);
  }

  @Test
  void fold_fieldsAreAnObject() {
    Value value = Value.newBuilder().setInt64Value(3).build();
    FoldedEvent fold =
        FoldedEvent.newBuilder()
            .setKey("k")
            .putFields("f", FoldedField.newBuilder().setFirst(value).setOccurrences(1).build())
            .build();
    assertThat(line(Topic.FOLDED, fold.toByteArray()))
        .contains("\"fields\":{\"f\":{\"first\":3,\"last_timestamp_ms\":0,\"occurrences\":1}},");
  }

  @Test
  void tombstone_hasNoValue() {
    assertThat(line(Topic.WINDOWS, null)).isEqualTo("{\"value_base64\":null," + PLACE);
  }

  /** 10 held for 3 s, then 20 for 1 s. */
  @Test
  void derived_hasTheTimeWeightedAverage_andNothingOfSetsThatAreOff() {
    WindowSummary.Builder summary =
        WindowSummary.newBuilder().setCount(3).setSum(60).setMin(10).setMax(30);
    summary.setFirstTimestampMs(1_000).setFirst(10).setLastTimestampMs(5_000).setLast(30);
    summary.setIntegral(50_000).setIncrease(20).setResets(0);
    String line =
        RecordJson.line(
            Topic.WINDOWS,
            Topic.WINDOWS,
            record(summary.build().toByteArray()),
            Optional.empty(),
            true);
    assertThat(line)
        .contains("\"integral\":50000.0,\"increase\":20.0,\"resets\":0,")
        .contains("\"mean\":20.0,\"spread\":20.0,\"time_weighted_average\":12.5,")
        .doesNotContain("standard_deviation", "quantile", "m2");
  }

  private static String line(Topic topic, byte[] value) {
    return RecordJson.line(topic, record(value));
  }

  private static ConsumerRecord<byte[], byte[]> record(byte[] value) {
    return new ConsumerRecord<>("t", 7, 9, null, value);
  }
}
