package io.weir.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.wire.ResetMark;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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

  /** A reader that takes its time keeps what is shown, and of a hundred batches nothing else. */
  @Test
  void readingsThatAreNotShown_areNotKept_norMoreBatchesThanAReaderWants() {
    ReadingBatch.Builder batch = ReadingBatch.newBuilder().setGatewayId("line-7").setBootId(1);
    for (int i = 0; i < 10_000; i++) {
      batch.addReadings(
          io.weir.v1.Reading.newBuilder().setSensorId(SENSOR).setTimestampMs(START + 1));
    }
    batch.setSequence(1);
    byte[] value = batch.build().toByteArray();
    WindowReadings readings = readings();
    for (int i = 0; i < 3; i++) {
      readings.add(new ConsumerRecord<>("weir.readings", PARTITION, i, new byte[0], value));
    }
    assertThat(readings.rows(100).get(0).count()).isEqualTo(10_000);
    WeakReference<Object> last = new WeakReference<>(readings.first(0, 10_000).get(9_999));
    List<Explanation.Row> shown = readings.rows(100);
    readings = null;
    for (int i = 0; i < 50 && last.get() != null; i++) {
      System.gc();
    }
    assertThat(last.get()).isNull();
    assertThat(shown).allMatch(row -> row.readings().size() == 100);

    WindowReadings many = readings();
    byte[] small =
        ReadingBatch.newBuilder().addReadings(batch.getReadings(0)).build().toByteArray();
    for (int i = 0; i < 10_050; i++) {
      many.add(new ConsumerRecord<>("weir.readings", PARTITION, i, new byte[0], small));
    }
    assertThat(many.batches()).isEqualTo(10_050);
    assertThat(many.rows(100)).hasSize(10_000);
  }

  /** Dead letters are deleted before the readings: the retention of their topic is in bytes. */
  @Test
  void readingThatIsNoNumber_withoutItsDeadLetter_wasNotCounted() {
    byte[] value =
        ReadingBatch.newBuilder()
            .addReadings(
                io.weir.v1.Reading.newBuilder()
                    .setSensorId(SENSOR)
                    .setTimestampMs(START + 1)
                    .setValue(Double.NaN))
            .build()
            .toByteArray();
    Endless log =
        new Endless(
            Topic.READINGS,
            1,
            at -> new ConsumerRecord<>("weir.readings", PARTITION, at, new byte[0], value));
    Explanation found =
        Explainer.explain(settings(1L << 40), log, SENSOR, START, OptionalLong.empty());
    assertThat(found.rows()).hasSize(1);
    assertThat(found.rows().get(0).fate()).isEqualTo(Explanation.Fate.REFUSED);
    assertThat(ExplanationText.verdict(found.rows().get(0))).isEqualTo("INVALID_VALUE");
    assertThat(found.recomputed().getCount()).isZero();
  }

  /** Ids and records of one byte again and again, which compress to nothing. */
  @Test
  @Timeout(60)
  void idThatIsNearlyInARecordAtEachByte_isLookedForOnce() {
    Bytes id = new Bytes(("a".repeat(4_095) + "b").getBytes(StandardCharsets.UTF_8));
    byte[] value = "a".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 60; i++) {
      assertThat(id.areIn(value)).isFalse();
    }
    value[5_000] = 'b';
    assertThat(id.areIn(value)).isTrue();
    Seeds.forEach(
        200,
        random -> {
          String part = text(random, 1 + random.nextInt(5));
          String whole = text(random, random.nextInt(40));
          assertThat(
                  new Bytes(part.getBytes(StandardCharsets.UTF_8))
                      .areIn(whole.getBytes(StandardCharsets.UTF_8)))
              .isEqualTo(whole.contains(part));
        });
  }

  private static String text(Random random, int length) {
    return random
        .ints(length, 'a', 'c')
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }

  @Test
  @Timeout(60)
  void readingsOfALetter_areFoundWithoutALookAtAll() {
    Letters letters = new Letters(Topic.READINGS.text(), PARTITION, SENSOR, new Room(1L << 40));
    ReadingBatch.Builder batch = ReadingBatch.newBuilder();
    for (int i = 0; i < 300_000; i++) {
      batch.addReadings(reading(i));
    }
    batch.addReadings(reading(7));
    ConsumerRecord<byte[], byte[]> letter =
        new ConsumerRecord<>("weir.late", PARTITION, 0, null, batch.build().toByteArray());
    DeadLetterHeaders.of(new Origin(Topic.READINGS.text(), PARTITION, 3))
        .forEach(letter.headers()::add);
    letters.add(letter, true);

    for (int i = 300_000; i < 600_000; i++) {
      assertThat(letters.take(3, reading(i)).isPresent()).isFalse();
    }
    assertThat(letters.take(3, reading(7))).isPresent();
    assertThat(letters.take(3, reading(7))).isPresent();
    assertThat(letters.take(3, reading(7))).isEmpty();
  }

  private static io.weir.v1.Reading reading(long ms) {
    return io.weir.v1.Reading.newBuilder().setSensorId(SENSOR).setTimestampMs(START + ms).build();
  }

  private static WindowReadings readings() {
    Room room = new Room(1L << 40);
    return new WindowReadings(
        settings(1L << 40),
        SENSOR,
        START,
        START + 10_000,
        new Letters(Topic.READINGS.text(), PARTITION, SENSOR, room),
        new Endless(Topic.READINGS, 0, at -> null),
        Long.MAX_VALUE,
        room);
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
    private final long end;
    private final LongFunction<ConsumerRecord<byte[], byte[]>> records;
    private long given;

    Endless(Topic topic, LongFunction<ConsumerRecord<byte[], byte[]>> records) {
      this(topic, ENDLESS, records);
    }

    Endless(Topic topic, long end, LongFunction<ConsumerRecord<byte[], byte[]>> records) {
      this.topic = topic;
      this.end = end;
      this.records = records;
    }

    @Override
    public OptionalLong committed(int partition) {
      return OptionalLong.of(ENDLESS);
    }

    @Override
    public Scan read(
        Topic of, int partition, long sinceMs, Predicate<ConsumerRecord<byte[], byte[]>> each) {
      while (of == topic && given < end && each.test(records.apply(given))) {
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
