package io.weir.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.topic.Topic;
import io.weir.v1.CloseReason;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class SummaryJsonTest {
  private static final String VALUE =
      "{\"sensor_id\":\"a\\\"ö\",\"window_start_ms\":-10,\"window_end_ms\":0,\"count\":2,"
          + "\"sum\":\"Infinity\",\"min\":1.0E308,\"max\":1.0E308,\"revision\":0,"
          + "\"close_reason\":\"CLOSE_REASON_IDLE\",\"bad_count\":0,\"mean\":1.0E308}";

  private static final WindowSummary WINDOW =
      WindowSummary.newBuilder()
          .setSensorId("a\"ö")
          .setWindowStartMs(-10)
          .setCount(2)
          .setSum(Double.POSITIVE_INFINITY)
          .setMin(1e308)
          .setMax(1e308)
          .setMean(1e308)
          .setCloseReason(CloseReason.CLOSE_REASON_IDLE)
          .build();

  @Test
  void key_hasThreeMembersInTheirOrder_withoutBlanks() {
    byte[] sensorId = "boiler-3/\"ö".getBytes(StandardCharsets.UTF_8);

    assertThat(SummaryJson.key(sensorId, 1_770_076_800_000L, 1_770_076_810_000L))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo(
            "{\"sensor_id\":\"boiler-3/\\\"ö\",\"window_start_ms\":1770076800000,"
                + "\"window_end_ms\":1770076810000}");
  }

  @Test
  void value_isTheObjectOfTail_withoutItsPlace() {
    assertThat(SummaryJson.value(WINDOW.toByteArray()))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo(VALUE);
  }

  @Test
  void value_isPrintedByTail_inEitherForm() {
    byte[] json = SummaryJson.value(WINDOW.toByteArray());
    String line = VALUE.replace("}", ",\"topic\":\"t\",\"partition\":1,\"offset\":2}");

    for (byte[] value : new byte[][] {json, WINDOW.toByteArray()}) {
      ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("t", 1, 2, null, value);
      assertThat(RecordJson.line(Topic.LATEST, record)).isEqualTo(line);
    }
  }
}
