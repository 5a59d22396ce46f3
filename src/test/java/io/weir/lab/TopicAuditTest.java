package io.weir.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.reading.RejectReason;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class TopicAuditTest {
  private static final TopicNames TOPICS = TopicNames.DEFAULT;

  private final List<WindowSummary> watched = new ArrayList<>();
  private final TopicAudit audit = new TopicAudit(TOPICS, watched::add);
  private long offset;

  @Test
  void balance_ofARecordedExample_isWhole() {
    readings(3, batch("gate", 7, 1, 10));
    readings(3, batch("gate", 7, 2, 5));
    readings(3, batch("gate", 7, 1, 10));
    window("a", 0, 9, 1, 0);
    window("b", 0, 2, 0, 0);
    late(batch("gate", 0, 0, 1));
    deadLetter(RejectReason.INVALID_VALUE, batch("gate", 0, 0, 2), 3, 7, 2);

    Balance balance = audit.tally().balance(25);

    assertThat(balance)
        .hasToString(
            "balance: offered 25 = in windows 12 + late 1 + rejected 2 + duplicates 10, missing 0");
    assertThat(balance.isWhole()).isTrue();
  }

  @Test
  void missing_whereMoreCameOutThanWentIn_isNegative() {
    window("a", 0, 3, 0, 0);

    Balance balance = audit.tally().balance(2);

    assertThat(balance.missing()).isEqualTo(-1);
    assertThat(balance.isWhole()).isFalse();
  }

  @Test
  void window_emittedAgain_countsWithItsLastSummaryAlone() {
    window("a", 0, 3, 0, 0);
    window("a", 10, 4, 0, 0);
    window("a", 0, 5, 2, 1);

    assertThat(audit.tally().inWindows()).isEqualTo(4 + 5 + 2);
    assertThat(audit.tally().windows()).isEqualTo(2);
    assertThat(audit.tally().emissions()).isEqualTo(3);
    assertThat(watched).hasSize(3);
  }

  @Test
  void rollups_countOnceForEachSize_andInNoWindow() {
    TopicAudit withRollups = new TopicAudit(TopicNames.ALL, watched::add);
    for (long sizeMs : new long[] {60, 120, 60}) {
      WindowSummary rollup =
          WindowSummary.newBuilder().setSensorId("a").setWindowEndMs(sizeMs).setCount(3).build();
      withRollups.take(
          record(TopicNames.ALL.of(Topic.ROLLUPS), 3, rollup.toByteArray(), new RecordHeaders()));
    }

    assertThat(withRollups.tally().inRollups()).isEqualTo(6);
    assertThat(withRollups.rollups().windows()).isEqualTo(2);
    assertThat(withRollups.tally().inWindows()).isZero();
    assertThat(watched).isEmpty();
  }

  @Test
  void duplicates_areRepeatsOfGatewayBootPartitionAndSequence() {
    readings(0, batch("gate", 7, 1, 10));
    readings(1, batch("gate", 7, 1, 10));
    readings(0, batch("gate", 8, 1, 10));
    readings(0, batch("other", 7, 1, 10));
    readings(0, batch("gate", 7, 2, 10));
    assertThat(audit.tally().duplicates()).isZero();

    readings(0, batch("gate", 7, 1, 10));
    readings(0, batch("gate", 7, 1, 10));

    assertThat(audit.tally().duplicates()).isEqualTo(20);
    assertThat(audit.tally().duplicatesOf("gate")).isEqualTo(20);
    assertThat(audit.tally().duplicatesOf("other")).isZero();
  }

  @Test
  void batchesOutOfOrder_areNoDuplicates_untilTheyComeAgain() {
    for (long sequence : new long[] {3, 1, 5, 2}) {
      readings(0, batch("gate", 7, sequence, 1));
    }
    assertThat(audit.tally().duplicates()).isZero();

    for (long sequence : new long[] {5, 3, 1, 4}) {
      readings(0, batch("gate", 7, sequence, 1));
    }
    assertThat(audit.tally().duplicates()).isEqualTo(3);
  }

  @Test
  void batchRefusedOnceAndAppliedOnce_isNoDuplicate() {
    deadLetter(RejectReason.FENCED, batch("gate", 7, 1, 10), 0, 7, 1);
    readings(0, batch("gate", 7, 1, 10));
    readings(0, batch("gate", 7, 1, 10));
    assertThat(audit.tally().duplicates()).isZero();

    readings(0, batch("gate", 7, 1, 10));
    assertThat(audit.tally().duplicates()).isEqualTo(10);
  }

  @Test
  void duplicates_ofBatchesWithoutSequence_areNone() {
    readings(0, batch("gate", 0, 0, 10));
    readings(0, batch("gate", 0, 0, 10));

    assertThat(audit.tally().duplicates()).isZero();
  }

  @Test
  void refusedRepeat_isRejectedAndNoDuplicate_whicheverIsReadFirst() {
    readings(0, batch("gate", 7, 1, 10));
    deadLetter(RejectReason.STALE_SEQUENCE, batch("gate", 7, 1, 10), 0, 7, 1);
    readings(0, batch("gate", 7, 1, 10));
    readings(0, batch("gate", 7, 1, 10));
    assertThat(audit.tally().duplicates()).isEqualTo(10);
    deadLetter(RejectReason.STALE_SEQUENCE, batch("gate", 7, 1, 10), 0, 7, 1);

    assertThat(audit.tally().duplicates()).isZero();
    assertThat(audit.tally().rejected(RejectReason.STALE_SEQUENCE)).isEqualTo(20);
  }

  @Test
  void poison_hasNoReadings_andIsCountedInRecords() {
    for (Poison poison : Poison.values()) {
      take(TOPICS.readings(), 0, poison.bytes(), new RecordHeaders());
      deadLetter(RejectReason.UNDECODABLE, poison.bytes(), 0, 0, 0);
    }

    AuditTally tally = audit.tally();
    assertThat(tally.undecodable()).isEqualTo(Poison.values().length);
    assertThat(tally.poisonRecords()).isEqualTo(Poison.values().length);
    assertThat(tally.balance(0).isWhole()).isTrue();
  }

  @Test
  void recordWithoutValue_isPoisonToo() {
    take(TOPICS.readings(), 0, null, new RecordHeaders());
    deadLetter(RejectReason.UNDECODABLE, null, 0, 0, 0);

    assertThat(audit.tally().undecodable()).isEqualTo(1);
    assertThat(audit.tally().poisonRecords()).isEqualTo(1);
  }

  @Test
  void series_countsTheLongerOfItsColumns() {
    Series whole = Series.newBuilder().addTimestampDeltaMs(1).addValue(1).build();
    Series broken = Series.newBuilder().addTimestampDeltaMs(1).addValue(1).addValue(2).build();
    readings(0, ReadingBatch.newBuilder().addSeries(whole).addSeries(broken).build().toByteArray());

    assertThat(audit.tally().readings()).isEqualTo(3);
  }

  @Test
  void summaryThatCannotBeDecoded_isAFailureWithItsPlace() {
    assertThatThrownBy(() -> take(TOPICS.windows(), 9, new byte[] {7}, new RecordHeaders()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("weir.windows partition 9 offset 0");
  }

  private static byte[] batch(String gatewayId, long bootId, long sequence, int readings) {
    ReadingBatch.Builder batch =
        ReadingBatch.newBuilder().setGatewayId(gatewayId).setBootId(bootId).setSequence(sequence);
    for (int i = 0; i < readings; i++) {
      batch.addReadings(Reading.newBuilder().setSensorId("s").setTimestampMs(i + 1));
    }
    return batch.build().toByteArray();
  }

  private void readings(int partition, byte[] value) {
    take(TOPICS.readings(), partition, value, new RecordHeaders());
  }

  private void late(byte[] value) {
    take(TOPICS.late(), 3, value, new RecordHeaders());
  }

  private void window(String sensor, long startMs, long count, long badCount, int revision) {
    WindowSummary summary =
        WindowSummary.newBuilder()
            .setSensorId(sensor)
            .setWindowStartMs(startMs)
            .setWindowEndMs(startMs + 10)
            .setCount(count)
            .setBadCount(badCount)
            .setRevision(revision)
            .build();
    take(TOPICS.windows(), 3, summary.toByteArray(), new RecordHeaders());
  }

  private void deadLetter(
      RejectReason reason, byte[] value, int partition, long bootId, long sequence) {
    Headers headers = new RecordHeaders();
    DeadLetterHeaders.add(headers, DeadLetterHeaders.REASON, reason.name());
    DeadLetterHeaders.add(headers, DeadLetterHeaders.PARTITION, String.valueOf(partition));
    DeadLetterHeaders.addBatch(headers, "gate", bootId, sequence);
    take(TOPICS.deadLetters(), partition, value, headers);
  }

  private void take(String topic, int partition, byte[] value, Headers headers) {
    audit.take(record(topic, partition, value, headers));
  }

  private ConsumerRecord<byte[], byte[]> record(
      String topic, int partition, byte[] value, Headers headers) {
    return new ConsumerRecord<>(
        topic,
        partition,
        offset++,
        1L,
        TimestampType.LOG_APPEND_TIME,
        4,
        value == null ? 0 : value.length,
        "gate".getBytes(StandardCharsets.UTF_8),
        value,
        headers,
        Optional.empty());
  }
}
