package io.weir.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.wire.ResetMark;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever may write to the topics does not decide how much memory an explanation takes. */
class ExplainRoomTest {
  private static final String SENSOR = "press-4/temperature";
  private static final int PARTITION = SensorPartition.of(SENSOR);
  private static final long START = 1_800_000_000_000L;
  private static final long ENDLESS = 3_000_000;

  private static ExplainSettings settings(long scanBytes) {
    return new ExplainSettings(
        Topic::text,
        10_000,
        0,
        0,
        30_000,
        60_000,
        List.of(),
        0,
        1L << 40,
        1L << 40,
        false,
        scanBytes);
  }

  @ParameterizedTest
  @EnumSource(names = {"WINDOWS", "DEAD_LETTERS", "READINGS"})
  void recordsWithoutEnd_areNotKept(Topic topic) {
    Endless log = new Endless(topic, recordsOf(topic));
    Explanation found =
        Explainer.explain(settings(1L << 40), log, SENSOR, START, OptionalLong.empty());
    assertThat(log.given).isBetween(1_000L, ENDLESS / 2);
    assertThat(found.verdict()).isEqualTo(Explanation.Verdict.CANNOT_TELL);
  }

  /** Records without key and value, which concern nobody. */
  @ParameterizedTest
  @EnumSource(names = {"WINDOWS", "LATE", "DEAD_LETTERS", "READINGS"})
  void recordsWithoutEnd_areNotReadToTheEnd(Topic topic) {
    Endless log =
        new Endless(topic, at -> new ConsumerRecord<>(topic.text(), PARTITION, at, null, null));
    Explanation found =
        Explainer.explain(settings(1 << 20), log, SENSOR, START, OptionalLong.empty());
    assertThat(log.given).isBetween(1_000L, 10_000L);
    assertThat(found.verdict()).isEqualTo(Explanation.Verdict.CANNOT_TELL);
    assertThat(found.detail()).contains(topic == Topic.WINDOWS ? "--scan-bytes" : "");
  }

  private static LongFunction<ConsumerRecord<byte[], byte[]>> recordsOf(Topic topic) {
    byte[] key = SENSOR.getBytes(StandardCharsets.UTF_8);
    byte[] window =
        WindowSummary.newBuilder()
            .setSensorId(SENSOR)
            .setWindowStartMs(START)
            .setWindowEndMs(START + 10_000)
            .build()
            .toByteArray();
    return switch (topic) {
      case WINDOWS ->
          offset -> new ConsumerRecord<>("weir.windows", PARTITION, offset, key, window);
      case READINGS ->
          offset ->
              new ConsumerRecord<>(
                  "weir.readings",
                  PARTITION,
                  offset,
                  key,
                  ReadingBatch.newBuilder()
                      .setGatewayId("line-7")
                      .setBootId(1)
                      .setSequence(offset)
                      .addReadings(
                          io.weir.v1.Reading.newBuilder().setSensorId(SENSOR).setTimestampMs(1))
                      .build()
                      .toByteArray());
      default ->
          offset -> {
            ConsumerRecord<byte[], byte[]> record =
                new ConsumerRecord<>("weir.dead-letters", PARTITION, offset, key, new byte[0]);
            Headers headers =
                DeadLetterHeaders.of(new Origin(Topic.READINGS.text(), PARTITION, offset));
            DeadLetterHeaders.add(headers, DeadLetterHeaders.REASON, "UNDECODABLE");
            headers.forEach(record.headers()::add);
            return record;
          };
    };
  }

  /** One topic has more records than anybody may keep. */
  private static final class Endless implements PartitionLog {
    private final Topic topic;
    private final LongFunction<ConsumerRecord<byte[], byte[]>> records;
    private long given;

    Endless(Topic topic, LongFunction<ConsumerRecord<byte[], byte[]>> records) {
      this.topic = topic;
      this.records = records;
    }

    @Override
    public OptionalLong committed(int partition) {
      return OptionalLong.of(ENDLESS);
    }

    @Override
    public Scan read(
        Topic of, int partition, long sinceMs, Predicate<ConsumerRecord<byte[], byte[]>> each) {
      while (of == topic && given < ENDLESS && each.test(records.apply(given))) {
        given++;
      }
      return Scan.NOTHING;
    }

    @Override
    public Optional<String> gatewayToReset(ResetMark mark) {
      return Optional.empty();
    }
  }
}
