package io.weir.internal.redrive;

import static io.weir.internal.redrive.DeadLetterTopic.batch;
import static io.weir.internal.redrive.DeadLetterTopic.reading;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.app.GatewayResets;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Life;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.deadletter.RunningLife;
import io.weir.internal.deadletter.UnreadOffsets;
import io.weir.reading.RejectReason;
import io.weir.v1.ReadingBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Dead letters of other states, whose batches the one that runs has not read. */
class RedriveUnreadTest extends RedriveFixture {
  /** As gateways make them: 19 digits. */
  private static final long BOOT_ID = 1_700_000_000_000L << 20;

  private static final Life EARLIER = new Life(8);

  /** The first record that the running life read. */
  private static final int FIRST = 5;

  private static final RejectReason WHOLE = RejectReason.FUTURE_BOOT;
  private static final RejectReason PART = RejectReason.FUTURE_TIMESTAMP;

  private KafkaProducer<byte[], byte[]> gateways;
  private DeadLetterTopic letters;
  private Uuid topicId;

  @BeforeEach
  void start() throws Exception {
    gateways =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    letters = deadLetters();
    topicId =
        admin
            .describeTopics(List.of(topics.readings()))
            .allTopicNames()
            .get()
            .get(topics.readings())
            .topicId();
    lives = Map.of(1, life(DeadLetterTopic.LIFE, unread(0, FIRST)));
    for (int i = 0; i < FIRST; i++) {
      publish(sequenced("another", i + 1));
    }
  }

  @AfterEach
  void stop() {
    letters.close();
    gateways.close();
  }

  @Test
  void batchWithoutASequence_isSent_whereTheRunningLifeHasNotReadIt() throws IOException {
    ReadingBatch plain = batch("g", reading("a", 5, 1));
    refused(EARLIER, PART, 4, plain, plain);
    refused(EARLIER, PART, 5, plain, plain);

    assertThat(outcomes(request(RecordFilter.ALL)))
        .isEqualTo(Map.of(ResendOutcome.SENT, 1L, ResendOutcome.EARLIER_LIFE, 1L));
  }

  /** The life that began meanwhile reads the batch again, and may count it. */
  @Test
  void applicationThatBeginsAnotherLifeMeanwhile_endsTheRedrive_andNothingIsSent()
      throws IOException {
    ReadingBatch plain = batch("g", reading("a", 5, 1));
    refused(EARLIER, PART, 4, plain, plain);
    livesNow = Map.of(1, life(EARLIER));
    int before = rows().size();

    assertThatThrownBy(() -> outcomes(request(RecordFilter.ALL)))
        .isInstanceOf(KafkaException.class)
        .hasMessageContaining("was reset, or has lost the state of partition 1");
    assertThat(rows()).hasSize(before);
  }

  @Test
  void originOfAnotherTopicOrPartition_orOneThatCameBack_isNotSent() {
    ReadingBatch plain = batch("g", reading("a", 5, 1));
    letters.record(1, headers(EARLIER, PART, 1, 4, plain, new Uuid(1, 2)), plain.toByteArray());
    letters.record(1, headers(EARLIER, PART, 2, 4, plain, topicId), plain.toByteArray());
    Headers cameBack = headers(EARLIER, PART, 1, 4, plain, topicId);
    DeadLetterHeaders.ofRedrive(new Origin(topics.deadLetters(), 1, 0)).forEach(cameBack::add);
    letters.record(1, cameBack, plain.toByteArray()).commit();

    assertThat(outcomes(request(RecordFilter.ALL, false, true, false)))
        .isEqualTo(Map.of(ResendOutcome.PERHAPS_UNREAD, 3L));
  }

  /** The window of a late reading was emitted for the last time. */
  @Test
  void gapInTheMiddleOfALife_isUnread_whatIsLateIsNotSent() throws Exception {
    lives = Map.of(1, life(DeadLetterTopic.LIFE, unread(2, 4)));
    ReadingBatch plain = batch("g", reading("a", 5, 1));
    refused(EARLIER, PART, 1, plain, plain);
    refused(EARLIER, PART, 3, plain, plain);
    refused(EARLIER, PART, 4, plain, plain);
    Headers late = headers(EARLIER, PART, 1, 3, plain, topicId);
    late.remove(DeadLetterHeaders.REASON);
    letters.record(1, late, plain.toByteArray()).commit();

    assertThat(outcomes(request(RecordFilter.ALL)))
        .isEqualTo(
            Map.of(
                ResendOutcome.SENT,
                1L,
                ResendOutcome.EARLIER_LIFE,
                2L,
                ResendOutcome.PERHAPS_UNREAD,
                1L));
  }

  /** In front of the gap and behind it: a copy is judged, and later sequences pass those below. */
  @Test
  void batchInAGap_isComparedWithWhatTheLifeReadOnBothSides() throws Exception {
    publish(sequenced("g", 7)); // at offset 5
    publish(sequenced("x", 1));
    publish(sequenced("x", 2));
    publish(sequenced("x", 3));
    publish(sequenced("h", 9)); // at offset 9
    lives = Map.of(1, life(DeadLetterTopic.LIFE, unread(6, 9)));
    refused(EARLIER, WHOLE, 6, sequenced("g", 7), sequenced("g", 7));
    refused(EARLIER, WHOLE, 7, sequenced("g", 6), sequenced("g", 6));
    refused(EARLIER, WHOLE, 7, sequenced("g", 8), sequenced("g", 8));
    refused(EARLIER, WHOLE, 8, sequenced("h", 8), sequenced("h", 8));

    assertThat(outcomes(request(RecordFilter.ALL)))
        .isEqualTo(Map.of(ResendOutcome.SENT, 3L, ResendOutcome.EARLIER_LIFE, 1L));
    assertThat(sequencesOf("g")).containsExactlyInAnyOrder(7L, 0L, 8L);
    assertThat(sequencesOf("h")).containsExactlyInAnyOrder(9L, 0L);
  }

  /** Retention deletes what is in front of a gap too: a copy may have counted there. */
  @Test
  void batchInAGap_whereTheLogBeginsBehindIt_isSentOnlyIfTheSequencesOfItsBootDecide()
      throws Exception {
    publish(sequenced("h", 9)); // at offset 5
    lives = Map.of(1, life(DeadLetterTopic.LIFE, unread(3, 5)));
    deleteBefore(5);
    refused(EARLIER, WHOLE, 3, sequenced("g", 7), sequenced("g", 7));
    refused(EARLIER, PART, 3, sequenced("g", 8), part("g"));
    refused(EARLIER, WHOLE, 4, sequenced("h", 8), sequenced("h", 8));

    assertThat(outcomes(request(RecordFilter.ALL)))
        .isEqualTo(Map.of(ResendOutcome.SENT, 1L, ResendOutcome.NOT_KNOWN, 2L));
    assertThat(sequencesOf("g")).containsExactlyInAnyOrder(7L);
  }

  /** The state lost its end, and goes on with what an earlier life has judged. */
  @Test
  void deadLetterOfTheKeptPartOfAState_isOfTheRunningLife_andKeepsItsSequence() throws Exception {
    publish(sequenced("g", 9));
    UnreadOffsets.Range lost = new UnreadOffsets.Range(3, 5, Optional.of(EARLIER));
    lives = Map.of(1, life(DeadLetterTopic.LIFE, lost));
    refused(EARLIER, WHOLE, 2, sequenced("g", 7), sequenced("g", 7));
    refused(EARLIER, PART, 3, sequenced("g", 8), part("g"));
    assertThat(outcomes(request(RecordFilter.ALL))).isEqualTo(Map.of(ResendOutcome.SENT, 2L));
    assertThat(sequencesOf("g")).containsExactlyInAnyOrder(9L, 7L, 0L);
  }

  /** A repeat that the running life has read: it has judged the readings itself. */
  @Test
  void copyBehindTheFirstRecord_isJudgedByTheRunningLife() throws Exception {
    refused(EARLIER, WHOLE, 3, sequenced("g", 7), sequenced("g", 7));
    refused(EARLIER, PART, 4, sequenced("g", 8), part("g"));
    publish(sequenced("g", 7));
    publish(sequenced("g", 8));

    assertThat(outcomes(request(RecordFilter.ALL)))
        .isEqualTo(Map.of(ResendOutcome.EARLIER_LIFE, 2L));
  }

  /** It would refuse the sequence as STALE_SEQUENCE, and all copies that come later. */
  @Test
  void batchBelowTheSequencesThatTheRunningLifeTook_isSentWithoutItsSequence() throws Exception {
    refused(EARLIER, WHOLE, 3, sequenced("g", 7), sequenced("g", 7));
    refused(EARLIER, PART, 4, sequenced("g", 8), part("g"));
    publish(sequenced("g", 9));

    assertThat(outcomes(request(RecordFilter.ALL))).isEqualTo(Map.of(ResendOutcome.SENT, 2L));
    assertThat(sequencesOf("g")).containsExactlyInAnyOrder(9L, 0L, 0L);
  }

  /** The first copy that comes counts: with a sequence the next is a duplicate. */
  @Test
  void batchOfABootThatTheRunningLifeDoesNotKnow_isSentWithItsSequence_partsAreNot()
      throws Exception {
    refused(EARLIER, WHOLE, 3, sequenced("g", 7), sequenced("g", 7));
    refused(EARLIER, PART, 4, sequenced("g", 8), part("g"));
    long later = publish(sequenced("g", 9));
    refused(
        DeadLetterTopic.LIFE, RejectReason.REVOKED, later, sequenced("g", 9), sequenced("g", 9));

    assertThat(outcomes(request(RecordFilter.ALL)))
        .isEqualTo(
            Map.of(
                ResendOutcome.SENT, 1L, ResendOutcome.NOT_KNOWN, 1L, ResendOutcome.NOT_PROVEN, 1L));
    assertThat(sequencesOf("g")).containsExactlyInAnyOrder(9L, 7L);
    assertThat(named)
        .containsExactly(
            topics.deadLetters()
                + " partition 1 offset 2 is not sent: gateway g, boot "
                + BOOT_ID
                + ", sequence 8 was refused"
                + " by another state; a copy may be counted already or later, and "
                + topics.readings()
                + " does not show it; --force sends it, and it may count twice");
  }

  /** After its reset the running life takes any sequence of the gateway. */
  @Test
  void resetOfTheGateway_isAsIfItsBootWereNotKnown() throws Exception {
    refused(EARLIER, WHOLE, 3, sequenced("g", 7), sequenced("g", 7));
    refused(EARLIER, PART, 4, sequenced("g", 8), part("g"));
    publish(sequenced("g", 9));
    new GatewayResets(gateways, topics).reset("g", new byte[16]);

    assertThat(outcomes(request(RecordFilter.ALL)))
        .isEqualTo(Map.of(ResendOutcome.SENT, 1L, ResendOutcome.NOT_KNOWN, 1L));
    assertThat(sequencesOf("g")).containsExactlyInAnyOrder(9L, 7L);
  }

  @Test
  void logThatNoLongerShowsWhatTheRunningLifeRead_leavesThem_byName() throws Exception {
    refused(EARLIER, WHOLE, 3, sequenced("g", 7), sequenced("g", 7));
    publish(sequenced("g", 9));
    publish(sequenced("g", 10));
    deleteBefore(FIRST + 1);

    assertThat(outcomes(request(RecordFilter.ALL))).isEqualTo(Map.of(ResendOutcome.NOT_KNOWN, 1L));
    assertThat(named).hasSize(1);
  }

  /** The application id of a group that another application has replaced. */
  @Test
  void newestWindowOfAnotherLife_behindOneOfTheRunningLife_endsTheRedrive_unlessTheOperatorIsSure()
      throws Exception {
    ReadingBatch plain = batch("g", reading("a", 5, 1));
    refused(DeadLetterTopic.LIFE, PART, 6, plain, plain);
    window(EARLIER);
    assertThat(run(dry()).records()).isEqualTo(Map.of(ResendOutcome.SENT, 1L));
    window(DeadLetterTopic.LIFE);
    assertThat(run(dry()).records()).isEqualTo(Map.of(ResendOutcome.SENT, 1L));
    window(EARLIER);

    assertThatThrownBy(() -> run(request(RecordFilter.ALL)))
        .isInstanceOf(KafkaException.class)
        .hasMessageContaining("application weir did not write the newest window")
        .hasMessageContaining("--yes");
    sure = true;
    assertThat(run(request(RecordFilter.ALL)).records()).isEqualTo(Map.of(ResendOutcome.SENT, 1L));
  }

  private void window(Life life) throws Exception {
    gateways
        .send(
            new ProducerRecord<>(
                topics.windows(), 1, null, new byte[0], new byte[0], List.of(life.header())))
        .get();
  }

  private RunningLife life(Life life, UnreadOffsets.Range... unread) {
    return new RunningLife(life, topicId, new UnreadOffsets(0, List.of(unread)));
  }

  private static UnreadOffsets.Range unread(long from, long to) {
    return new UnreadOffsets.Range(from, to, Optional.empty());
  }

  private void deleteBefore(long offset) throws Exception {
    admin
        .deleteRecords(
            Map.of(new TopicPartition(topics.readings(), 1), RecordsToDelete.beforeOffset(offset)))
        .all()
        .get();
  }

  private List<Long> sequencesOf(String gateway) throws IOException {
    List<Long> sequences = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : readings()) {
      ReadingBatch batch = ReadingBatch.parseFrom(record.value());
      if (batch.getGatewayId().equals(gateway)) {
        sequences.add(batch.getSequence());
      }
    }
    return sequences;
  }

  private static ReadingBatch sequenced(String gateway, long sequence) {
    return batch(gateway, reading("a", 5, sequence)).toBuilder()
        .setBootId(BOOT_ID)
        .setSequence(sequence)
        .build();
  }

  private static ReadingBatch part(String gateway) {
    return batch(gateway, reading("a", 5, 1));
  }

  private long publish(ReadingBatch batch) throws Exception {
    return gateways
        .send(new ProducerRecord<>(topics.readings(), 1, null, batch.toByteArray()))
        .get()
        .offset();
  }

  private void refused(
      Life life, RejectReason reason, long offset, ReadingBatch origin, ReadingBatch content) {
    letters
        .record(1, headers(life, reason, 1, offset, origin, topicId), content.toByteArray())
        .commit();
  }

  private Headers headers(
      Life life,
      RejectReason reason,
      int partition,
      long offset,
      ReadingBatch batch,
      Uuid ofTopic) {
    Headers headers = DeadLetterHeaders.of(new Origin(topics.readings(), partition, offset));
    DeadLetterHeaders.add(headers, DeadLetterHeaders.REASON, reason.name());
    DeadLetterHeaders.addBatch(
        headers, batch.getGatewayId(), batch.getBootId(), batch.getSequence());
    headers.add(life.header());
    DeadLetterHeaders.add(headers, DeadLetterHeaders.TOPIC_ID, ofTopic.toString());
    return headers;
  }
}
