package io.weir.internal.redrive;

import static io.weir.internal.redrive.DeadLetterTopic.batch;
import static io.weir.internal.redrive.DeadLetterTopic.reading;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.registry.WaitLimit;
import io.weir.lab.oracle.NaiveWeir;
import io.weir.oracle.RandomBatches;
import io.weir.reading.Limits;
import io.weir.topic.SensorPartition;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class RecordSplitterTest {
  private static final long NOW = 1_000_000;
  private static final long SKEW = 5_000;
  private static final int ROOM = 1 << 20;

  private final RecordSplitter splitter =
      new RecordSplitter(
          ValueFormat.BARE.reader("records", ReadingBatch.getDefaultInstance(), WaitLimit.of(0)),
          Limits.DEFAULT,
          SKEW);

  private static RedriveRecord record(byte[] value, Headers headers) {
    return new RedriveRecord(
        new ConsumerRecord<>(
            "records",
            3,
            77,
            NOW,
            TimestampType.LOG_APPEND_TIME,
            0,
            value == null ? 0 : value.length,
            null,
            value,
            headers,
            Optional.empty()));
  }

  private static RedriveRecord record(ReadingBatch batch) {
    return record(batch.toByteArray(), DeadLetterHeaders.of(new Origin("weir.readings", 3, 5)));
  }

  private Resend open(ReadingBatch batch) {
    return splitter.open(record(batch), NOW, ROOM, false);
  }

  /** Each reading of any batch, where it belongs and with its gateway; or left, if unsound. */
  @Test
  void anyBatch_isSentWhereItsSensorsBelong_withoutWhatWouldBeRefusedAgain() {
    Seeds.forEach(
        600,
        random -> {
          RandomBatches batches = new RandomBatches(random, random.nextInt(64));
          for (int i = 0; i < 20; i++) {
            ReadingBatch batch = batches.next(NOW);
            Resend parts = open(batch);
            List<String> expected = new ArrayList<>();
            for (Reading row : NaiveWeir.rows(batch)) {
              if (isSound(row)) {
                expected.add(SensorPartition.of(row.getSensorId()) + " " + NaiveWeir.plain(row));
              }
            }
            assertThat(sent(parts, batch)).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(parts.readings()).isEqualTo(expected.size());
            assertThat(parts.outcome())
                .isEqualTo(expected.isEmpty() ? ResendOutcome.STILL_REFUSED : ResendOutcome.SENT);
          }
        });
  }

  private static boolean isSound(Reading row) {
    return !row.getSensorId().isEmpty()
        && Double.isFinite(row.getValue())
        && row.getTimestampMs() > 0
        && row.getTimestampMs() <= NOW + SKEW;
  }

  private static List<String> sent(Resend parts, ReadingBatch original) throws IOException {
    List<String> sent = new ArrayList<>();
    for (Resend.Batch part : parts.batches()) {
      ReadingBatch batch = ReadingBatch.parseFrom(part.value());
      assertThat(batch.getGatewayId()).isEqualTo(original.getGatewayId());
      assertThat(batch.getBootId()).isZero();
      assertThat(batch.getSequence()).isZero();
      assertThat(new String(parts.key(), StandardCharsets.UTF_8))
          .isEqualTo(original.getGatewayId());
      NaiveWeir.rows(batch).forEach(row -> sent.add(part.partition() + " " + NaiveWeir.plain(row)));
    }
    return sent;
  }

  @Test
  void readingsKeepTheirForm() throws IOException {
    Series series =
        Series.newBuilder()
            .setSensorId("a")
            .setStartTimestampMs(100)
            .addTimestampDeltaMs(1)
            .addValue(2)
            .build();
    ReadingBatch batch =
        batch("g", reading("a", 5, 1)).toBuilder()
            .setBootId(9)
            .setSequence(2)
            .addSeries(series)
            .build();

    assertThat(ReadingBatch.parseFrom(open(batch).batches().get(0).value()))
        .isEqualTo(batch.toBuilder().clearBootId().clearSequence().build());
  }

  @Test
  void frame_isUnderstood_andWhatIsSentIsBare() throws IOException {
    ReadingBatch batch = batch("g", reading("a", 5, 1));
    byte[] payload = batch.toByteArray();
    byte[] framed = new byte[payload.length + 6];
    framed[4] = 42;
    System.arraycopy(payload, 0, framed, 6, payload.length);

    Resend parts = splitter.open(record(framed, new RecordHeaders()), NOW, ROOM, false);

    assertThat(ReadingBatch.parseFrom(parts.batches().get(0).value())).isEqualTo(batch);
  }

  @Test
  void batchLargerThanTheRoom_isSplit_andAReadingThatIsLargerIsLeft() {
    Reading[] many = new Reading[100];
    for (int i = 0; i < many.length; i++) {
      many[i] = reading("a", 1 + i, i);
    }
    ReadingBatch batch = batch("g", many);

    assertThat(splitter.open(record(batch), NOW, 200, false).batches())
        .hasSizeGreaterThan(5)
        .allSatisfy(part -> assertThat(part.value()).hasSizeLessThanOrEqualTo(200));
    assertThat(splitter.open(record(batch), NOW, 10, false).outcome())
        .isEqualTo(ResendOutcome.TOO_LARGE);
  }

  @Test
  void whatIsNoBatch_orWasCut_isLeft() {
    assertThat(
            splitter
                .open(
                    record("{}".getBytes(StandardCharsets.UTF_8), new RecordHeaders()),
                    NOW,
                    ROOM,
                    false)
                .outcome())
        .isEqualTo(ResendOutcome.UNDECODABLE);
    assertThat(splitter.open(record(null, new RecordHeaders()), NOW, ROOM, false).outcome())
        .isEqualTo(ResendOutcome.UNDECODABLE);
    Headers cut = new RecordHeaders();
    DeadLetterHeaders.add(cut, DeadLetterHeaders.SIZE, "2000000");
    byte[] value = batch("g", reading("a", 5, 1)).toByteArray();
    assertThat(splitter.open(record(value, cut), NOW, ROOM, false).outcome())
        .isEqualTo(ResendOutcome.CUT);
  }

  @Test
  void gatewayIdThatIsTooLong_isLeft_asEveryReadingWouldBeRefusedAgain() {
    assertThat(open(batch("g".repeat(257), reading("a", 5, 1))).outcome())
        .isEqualTo(ResendOutcome.STILL_REFUSED);
  }

  @Test
  void futureTimestamp_isSentWhenItsTimeHasCome() {
    ReadingBatch batch = batch("g", reading("a", NOW + SKEW + 1, 1));

    assertThat(open(batch).outcome()).isEqualTo(ResendOutcome.STILL_REFUSED);
    assertThat(splitter.open(record(batch), NOW + 1, ROOM, false).outcome())
        .isEqualTo(ResendOutcome.SENT);
  }

  @Test
  void batchId_namesASequencedBatchWhateverDeadLetterItIs() {
    ReadingBatch batch =
        batch("g", reading("a", 5, 1)).toBuilder().setBootId(9).setSequence(2).build();

    long id = open(batch).batchId();

    assertThat(id).isNotZero().isEqualTo(open(batch).batchId());
    assertThat(open(batch.toBuilder().setSequence(3).build()).batchId()).isNotEqualTo(id);
    assertThat(open(batch.toBuilder().setGatewayId("h").build()).batchId()).isNotEqualTo(id);
  }

  /** Only the application knows whether another copy of it was counted. */
  @Test
  void sequencedBatch_isSentWholeAsItWas_whereItStood() throws IOException {
    ReadingBatch batch =
        batch("g", reading("a", 5, 1), reading("b", 6, Double.NaN)).toBuilder()
            .setBootId(9)
            .setSequence(2)
            .build();

    Resend parts = splitter.open(record(batch), NOW, ROOM, true);

    assertThat(parts.batches()).singleElement().matches(part -> part.partition() == 3);
    assertThat(ReadingBatch.parseFrom(parts.batches().get(0).value())).isEqualTo(batch);
    assertThat(parts.batchId()).isEqualTo(open(batch).batchId());
    assertThat(splitter.open(record(batch), NOW, 10, true).outcome())
        .isEqualTo(ResendOutcome.TOO_LARGE);
    ReadingBatch unsound = batch.toBuilder().removeReadings(0).build();
    assertThat(splitter.open(record(unsound), NOW, ROOM, true).outcome())
        .isEqualTo(ResendOutcome.STILL_REFUSED);
  }

  /** No copy of it can ever have counted: every one has the same numbers. */
  @Test
  void sequenceThatCanNeverBeAccepted_isLeftOut() {
    ReadingBatch batch = batch("g", reading("a", 5, 1));
    for (ReadingBatch never :
        List.of(
            batch.toBuilder().setBootId(9).build(),
            batch.toBuilder().setBootId(-1).setSequence(2).build(),
            batch.toBuilder().setBootId(9).setSequence(-2).build(),
            batch.toBuilder().clearGatewayId().setBootId(9).setSequence(2).build())) {
      assertThat(splitter.open(record(never), NOW, ROOM, true).batches())
          .singleElement()
          .satisfies(
              part -> {
                assertThat(part.partition()).isEqualTo(SensorPartition.of("a"));
                assertThat(ReadingBatch.parseFrom(part.value()).getSequence()).isZero();
              });
    }
  }

  @Test
  void partOfABatch_isTheSameDeadLetterAtAnyOffset_andOthersAreOthers() {
    ReadingBatch part = batch("g", reading("a", 5, 1));

    long id = partId(part, 7, 9, 2);

    assertThat(id).isNotZero();
    assertThat(partId(part, 8, 9, 2)).as("a copy at another offset").isEqualTo(id);
    assertThat(partId(part, 7, 9, 3)).isNotEqualTo(id);
    assertThat(partId(batch("g", reading("a", 5, 2)), 7, 9, 2)).isNotEqualTo(id);
    assertThat(partId(part, 7, 0, 0)).as("not sequenced").isNotZero().isNotEqualTo(id);
    assertThat(partId(part, 7, 0, 0)).isEqualTo(partId(part, 7, 0, 0));
    assertThat(partId(part, 8, 0, 0)).isNotEqualTo(partId(part, 7, 0, 0));
  }

  private long partId(ReadingBatch part, long originOffset, long bootId, long sequence) {
    Headers headers = DeadLetterHeaders.of(new Origin("weir.readings", 3, originOffset));
    DeadLetterHeaders.addBatch(headers, "g", bootId, sequence);
    return splitter.open(record(part.toByteArray(), headers), NOW, ROOM, true).batchId();
  }
}
