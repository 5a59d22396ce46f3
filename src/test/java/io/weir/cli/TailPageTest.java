package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.json.RecordJson;
import io.weir.reading.RejectReason;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.CloseReason;
import io.weir.v1.Quality;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/**
 * The lines that docs/reference/text-formats.md shows are, to the letter, those that {@code weir
 * tail} prints.
 */
class TailPageTest {
  private static final String SENSOR = "boiler-3/temperature";
  private static final Headers NO_HEADERS = new RecordHeaders();

  @Test
  void readme_showsEachKindOfLineAsItIsPrinted() throws IOException {
    List<String> shown =
        Files.readAllLines(Path.of("docs/reference/text-formats.md"), StandardCharsets.UTF_8)
            .stream()
            .filter(line -> line.startsWith("{\"") && line.contains("\"topic\":"))
            .toList();

    assertThat(shown)
        .containsExactly(
            RecordJson.line(Topic.WINDOWS, record("weir.windows", window(), NO_HEADERS)),
            RecordJson.line(Topic.READINGS, record("weir.readings", batch(), NO_HEADERS)),
            RecordJson.line(
                Topic.DEAD_LETTERS, record("weir.dead-letters", rejected(), headers())));
  }

  private static byte[] window() {
    return WindowSummary.newBuilder()
        .setSensorId(SENSOR)
        .setWindowStartMs(1_700_000_000_000L)
        .setWindowEndMs(1_700_000_010_000L)
        .setCount(2)
        .setSum(142.25)
        .setMin(70)
        .setMax(72.25)
        .setCloseReason(CloseReason.CLOSE_REASON_EVENT_TIME)
        .setBadCount(1)
        .setMean(71.125)
        .build()
        .toByteArray();
  }

  private static byte[] batch() {
    return ReadingBatch.newBuilder()
        .setGatewayId("gateway-7")
        .setBootId(1_782_579_200_000_123L)
        .setSequence(1)
        .addReadings(reading(70))
        .addSeries(
            Series.newBuilder()
                .setSensorId(SENSOR)
                .setStartTimestampMs(1_700_000_001_000L)
                .addTimestampDeltaMs(0)
                .addTimestampDeltaMs(500)
                .addValue(72.25)
                .addValue(-1)
                .addQuality(Quality.QUALITY_GOOD)
                .addQuality(Quality.QUALITY_BAD))
        .build()
        .toByteArray();
  }

  private static byte[] rejected() {
    return ReadingBatch.newBuilder()
        .setGatewayId("gateway-7")
        .addReadings(reading(Double.NaN))
        .build()
        .toByteArray();
  }

  private static Reading.Builder reading(double value) {
    return Reading.newBuilder()
        .setSensorId(SENSOR)
        .setTimestampMs(1_700_000_000_000L)
        .setValue(value);
  }

  private static Headers headers() {
    Headers headers =
        DeadLetterHeaders.of(
            new Origin(TopicNames.DEFAULT.readings(), SensorPartition.of(SENSOR), 41));
    DeadLetterHeaders.add(headers, DeadLetterHeaders.EXCEPTION, RejectReason.class.getName());
    DeadLetterHeaders.add(headers, DeadLetterHeaders.MESSAGE, RejectReason.INVALID_VALUE.meaning());
    DeadLetterHeaders.add(headers, DeadLetterHeaders.REASON, RejectReason.INVALID_VALUE.name());
    DeadLetterHeaders.addBatch(headers, "gateway-7", 1_782_579_200_000_123L, 2);
    return headers;
  }

  private static ConsumerRecord<byte[], byte[]> record(
      String topic, byte[] value, Headers headers) {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>(topic, SensorPartition.of(SENSOR), 17, null, value);
    headers.forEach(record.headers()::add);
    return record;
  }
}
