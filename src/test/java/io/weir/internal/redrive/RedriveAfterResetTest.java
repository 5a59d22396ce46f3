package io.weir.internal.redrive;

import static io.weir.internal.redrive.DeadLetterTopic.batch;
import static io.weir.internal.redrive.DeadLetterTopic.reading;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.app.GatewayResets;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Life;
import io.weir.internal.deadletter.Origin;
import io.weir.reading.RejectReason;
import io.weir.v1.ControlRecord;
import io.weir.v1.GatewayReset;
import io.weir.v1.ReadingBatch;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is left after a gateway was reset: the application no longer knows what it has counted. */
class RedriveAfterResetTest extends RedriveFixture {
  /** As gateways make them: 19 digits. */
  private static final long BOOT_ID = 1_700_000_000_000L << 20;

  private static final Set<RejectReason> FENCED = Set.of(RejectReason.FENCED);
  private static final ReadingBatch OWN =
      batch("g", reading("a", 5, 1)).toBuilder().setBootId(BOOT_ID).setSequence(1).build();
  private static final ReadingBatch NEXT =
      batch("g", reading("a", 6, 2)).toBuilder().setBootId(BOOT_ID).setSequence(2).build();

  private KafkaProducer<byte[], byte[]> gateways;
  private DeadLetterTopic letters;

  @BeforeEach
  void start() {
    gateways =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    letters = deadLetters();
  }

  @AfterEach
  void stop() {
    letters.close();
    gateways.close();
  }

  @Test
  void repeatOfACountedBatch_isNotSent_andOneThatNeverCountedIs() throws Exception {
    publish(OWN);
    refused(RejectReason.FENCED, publish(OWN));
    refused(RejectReason.FENCED, publish(NEXT), NEXT);
    refused(RejectReason.FENCED, publish(NEXT), NEXT);
    reset("g");
    refused(RejectReason.FUTURE_BOOT, publish(OWN));

    assertThat(redrive(RecordFilter.ALL))
        .isEqualTo(Map.of(ResendOutcome.PERHAPS_COUNTED, 3L, ResendOutcome.COUNTED, 1L));
    assertThat(redrive(new RecordFilter(FENCED, Set.of(), 0, Long.MAX_VALUE)))
        .isEqualTo(
            Map.of(ResendOutcome.COUNTED, 1L, ResendOutcome.SENT, 1L, ResendOutcome.DUPLICATE, 1L));
    assertThat(named).isEmpty();
  }

  /** The life that runs has read both, and has refused the second one alone. */
  @Test
  void copyThatAnEarlierLifeRefused_isTakenForCounted() throws Exception {
    Headers headers = DeadLetterHeaders.of(new Origin(topics.readings(), 1, publish(OWN)));
    DeadLetterHeaders.add(headers, DeadLetterHeaders.REASON, RejectReason.FUTURE_BOOT.name());
    DeadLetterHeaders.addBatch(headers, "g", 7, 1);
    headers.add(new Life(8).header());
    letters.record(1, headers, OWN.toByteArray());
    refused(RejectReason.FUTURE_BOOT, publish(OWN));
    reset("g");

    assertThat(redrive(RecordFilter.ALL))
        .isEqualTo(Map.of(ResendOutcome.PERHAPS_UNREAD, 1L, ResendOutcome.COUNTED, 1L));
  }

  /** A copy in front of the mark would be counted and forgotten when the redrive has looked. */
  @Test
  void resetWhoseMarkIsNotThereYet_leavesIt_byName() throws Exception {
    refused(RejectReason.FUTURE_BOOT, publish(NEXT), NEXT);
    ControlRecord order =
        ControlRecord.newBuilder()
            .setReadingsTopic(topics.readings())
            .setGatewayReset(GatewayReset.newBuilder().setGatewayId("g"))
            .build();
    gateways.send(new ProducerRecord<>(topics.control(), 0, null, order.toByteArray())).get();

    assertThat(redrive(RecordFilter.ALL)).isEqualTo(Map.of(ResendOutcome.NOT_KNOWN, 1L));
    assertThat(named).hasSize(1);
    reset("g");
    assertThat(redrive(RecordFilter.ALL)).isEqualTo(Map.of(ResendOutcome.SENT, 1L));
  }

  @Test
  void deadLetterThatIsWrittenWhileTheRedriveBegins_isNotSentUnseen() throws Exception {
    publish(OWN);
    long repeat = publish(OWN);
    reset("g");
    meanwhile = () -> refused(RejectReason.FUTURE_BOOT, repeat);

    assertThat(redrive(RecordFilter.ALL)).isEqualTo(Map.of(ResendOutcome.COUNTED, 1L));
  }

  /** Counted after it was refused, and forgotten by a second reset. */
  @Test
  void copyBehindTheRefusedOne_isFoundToo() throws Exception {
    refused(RejectReason.FUTURE_BOOT, publish(OWN));
    publish(OWN);
    reset("g");

    assertThat(redrive(RecordFilter.ALL)).isEqualTo(Map.of(ResendOutcome.COUNTED, 1L));
  }

  @Test
  void gatewayThatWasNotReset_isTheApplicationsToJudge() throws Exception {
    publish(OWN);
    refused(RejectReason.FUTURE_BOOT, publish(OWN));
    reset("another");

    assertThat(redrive(RecordFilter.ALL)).isEqualTo(Map.of(ResendOutcome.SENT, 1L));
  }

  /** Its boot began after the reset: what it sent is known. */
  @Test
  void bootAfterTheReset_isTheApplicationsToJudge() throws Exception {
    reset("g");
    long later = System.currentTimeMillis() + 3 * 60 * 60 * 1000L;
    ReadingBatch own = OWN.toBuilder().setBootId(later << 20).build();
    publish(own);
    refused(RejectReason.FUTURE_BOOT, publish(own), own);

    assertThat(redrive(RecordFilter.ALL)).isEqualTo(Map.of(ResendOutcome.SENT, 1L));
  }

  @Test
  void logThatBeginsTooLateToTell_leavesIt_byName() throws Exception {
    publish(OWN);
    long repeat = publish(OWN);
    publish(NEXT);
    refused(RejectReason.FUTURE_BOOT, repeat);
    reset("g");
    admin
        .deleteRecords(
            Map.of(new TopicPartition(topics.readings(), 1), RecordsToDelete.beforeOffset(repeat)))
        .all()
        .get();

    assertThat(redrive(RecordFilter.ALL)).isEqualTo(Map.of(ResendOutcome.NOT_KNOWN, 1L));
    assertThat(named)
        .containsExactly(
            topics.deadLetters()
                + " partition 1 offset 0 is not sent: gateway g, boot "
                + BOOT_ID
                + ", sequence 1 may have been"
                + " counted before the gateway was reset, and "
                + topics.readings()
                + " does not show it; --force sends it, and it may count twice");
    assertThat(run(forced()).records()).isEqualTo(Map.of(ResendOutcome.SENT, 1L));
  }

  private Map<ResendOutcome, Long> redrive(RecordFilter filter) {
    return outcomes(request(filter));
  }

  private long publish(ReadingBatch batch) throws Exception {
    return gateways
        .send(new ProducerRecord<>(topics.readings(), 1, null, batch.toByteArray()))
        .get()
        .offset();
  }

  private void reset(String gatewayId) {
    new GatewayResets(gateways, topics).reset(gatewayId, new byte[16]);
  }

  private void refused(RejectReason reason, long offset) {
    refused(reason, offset, OWN);
  }

  private void refused(RejectReason reason, long offset, ReadingBatch batch) {
    Headers headers = DeadLetterHeaders.of(new Origin(topics.readings(), 1, offset));
    DeadLetterHeaders.add(headers, DeadLetterHeaders.REASON, reason.name());
    DeadLetterHeaders.addBatch(
        headers, batch.getGatewayId(), batch.getBootId(), batch.getSequence());
    letters.record(1, headers, batch.toByteArray()).commit();
  }
}
