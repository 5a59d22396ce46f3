package io.weir.lab.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.window.WindowSpec;
import io.weir.reading.Quality;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** What two lives of an application wrote. */
class PartitionCheckTest {
  private final TopicRecords records = new TopicRecords(0);
  private final PartitionCheck first = check();
  private final PartitionCheck second = check();

  @Test
  void windowThatALaterLifeReplacedByAPart_hasLostTheRest() {
    window(first, "a", 5);
    window(second, "a", 3);

    assertThat(first.findingsOfAnEarlierLife(second).lost()).isEqualTo(2);
  }

  @Test
  void windowThatALaterLifeLeft_orWroteWithAsMuch_hasLostNothing() {
    window(first, "a", 5);
    window(first, "b", 5);
    window(second, "b", 3);
    window(second, "b", 6);

    assertThat(first.findingsOfAnEarlierLife(second).lost()).isZero();
  }

  @Test
  void batchThatCounted_sentAgainWithoutItsSequence_isADouble() {
    ConsumerRecord<byte[], byte[]> original = readings(batch(7), new RecordHeaders());
    ConsumerRecord<byte[], byte[]> letter = letter(Topic.DEAD_LETTERS, 5, 7);
    second.withRedriven(0);
    second.redrivable(letter);
    second.take(original);
    second.take(readings(batch(0), redrive(letter)));

    assertThat(second.findings().doubled()).isEqualTo(1);
  }

  /** A part of a batch was sent again, was withheld, and was sent again after that. */
  @Test
  void recordThatCameBack_isOfTheOriginalBatchOfTheFirstOne() {
    ConsumerRecord<byte[], byte[]> first = letter(Topic.DEAD_LETTERS, 5, 7);
    ConsumerRecord<byte[], byte[]> other = letter(Topic.DEAD_LETTERS, 6, 8);
    ConsumerRecord<byte[], byte[]> returned = letter(Topic.LATE, 0, 0);
    second.withRedriven(0);
    List.of(first, other, returned).forEach(second::redrivable);
    ReadingBatch refused = batch(9).toBuilder().clearGatewayId().build();
    second.take(readings(refused, redrive(first)));
    second.take(readings(batch(0), redrive(returned)));
    assertThat(second.findings().doubled()).isZero();

    second.take(readings(batch(7), new RecordHeaders()));
    second.take(readings(batch(8), new RecordHeaders()));
    assertThat(second.findings().doubled()).isEqualTo(1);
  }

  /** Redrive before a reset may count twice: the documents say so. */
  @Test
  void recordThatAnEarlierLifeHasReadToo_isNoDouble() {
    ConsumerRecord<byte[], byte[]> letter = letter(Topic.DEAD_LETTERS, 5, 7);
    second.withRedriven(2);
    second.redrivable(letter);
    second.take(readings(batch(7), new RecordHeaders()));
    second.take(readings(batch(0), redrive(letter)));

    assertThat(second.findings().doubled()).isZero();
  }

  private ConsumerRecord<byte[], byte[]> readings(ReadingBatch batch, Headers headers) {
    return records.of(Topic.READINGS, 1_000, null, batch.toByteArray(), headers);
  }

  private ConsumerRecord<byte[], byte[]> letter(Topic topic, long originOffset, long sequence) {
    Headers headers = DeadLetterHeaders.of(new Origin("weir.readings", 0, originOffset));
    DeadLetterHeaders.addBatch(headers, "g", sequence == 0 ? 0 : 1, sequence);
    return records.of(topic, 1_000, null, new byte[0], headers);
  }

  private static Headers redrive(ConsumerRecord<byte[], byte[]> letter) {
    return DeadLetterHeaders.ofRedrive(
        new Origin(letter.topic(), letter.partition(), letter.offset()));
  }

  /** A batch of the same reading; without a sequence if it is 0. */
  private static ReadingBatch batch(long sequence) {
    int name = 0;
    while (SensorPartition.of("s" + name) != 0) {
      name++;
    }
    return ReadingBatch.newBuilder()
        .setGatewayId("g")
        .setBootId(sequence == 0 ? 0 : 1)
        .setSequence(sequence)
        .addReadings(Reading.newBuilder().setSensorId("s" + name).setTimestampMs(1_000).setValue(1))
        .build();
  }

  /** Left when a loss was accepted. */
  @Test
  void windowThatIsLeft_andThatNoLifeHasPublishedWithAsMany_hasLostTheRest() {
    NaiveWindows expected = new NaiveWindows(10);
    expected.add("a", 5, 1, Quality.GOOD);
    expected.add("a", 6, 1, Quality.GOOD);
    NaiveWindows.Key key = new NaiveWindows.Key("a", 0);

    assertThat(lost(expected, key, List.of())).isEqualTo(2);
    assertThat(lost(expected, key, List.of(published(3), published(1)))).isEqualTo(1);
    assertThat(lost(expected, key, List.of(published(2), new WindowCheck()))).isZero();
  }

  private static long lost(NaiveWindows expected, NaiveWindows.Key left, List<WindowCheck> lives) {
    Findings findings = new Findings();
    new WindowCheck().report(expected, Set.of(left), lives, findings);
    return findings.lost();
  }

  private static WindowCheck published(long count) {
    WindowCheck life = new WindowCheck();
    life.emitted(WindowSummary.newBuilder().setSensorId("a").setCount(count).build());
    return life;
  }

  private void window(PartitionCheck life, String sensorId, long count) {
    life.take(
        records.of(
            Topic.WINDOWS,
            0,
            sensorId,
            WindowSummary.newBuilder().setSensorId(sensorId).setCount(count).build()));
  }

  private static PartitionCheck check() {
    return new PartitionCheck(
        TopicNames.ALL,
        WindowSpec.of(10, 5, 0, 30, WindowSpec.IdleRule.ENDED, 200),
        NaiveRules.of(1_000_000),
        NaiveOrders.none(),
        0,
        IdleMoment.BY_RECORDS);
  }
}
