package io.weir.lab.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.topic.SensorPartition;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** The model of two applications sees each wrong output. */
class RelayCheckTest {
  private static final String KEY = RelayWords.POST + 1;
  private static final int PARTITION = SensorPartition.of(KEY);
  private static final NaiveRules RULES = NaiveRules.of(60_000);

  private final RelayCheck check =
      new RelayCheck(RelayWords.POST, RULES.withSignatures(true), Map.of(PARTITION, 100L));
  private final Waits waits = new Waits();
  private long offset;

  private static Event event(String subject, String words) {
    return Event.newBuilder()
        .setKey(KEY)
        .setSubject(subject)
        .setType(words)
        .setTimestampMs(1_000)
        .build();
  }

  private void append(RecordHeaders headers, long sequence, Event... events) {
    EventBatch.Builder batch = EventBatch.newBuilder().setGatewayId("g");
    if (sequence > 0) {
      batch.setBootId(1L << 20).setSequence(sequence);
    }
    for (Event event : events) {
      batch.addEvents(event);
    }
    byte[] value = batch.build().toByteArray();
    check.event(
        new ConsumerRecord<>(
            "weir.events",
            PARTITION,
            offset++,
            2_000,
            TimestampType.LOG_APPEND_TIME,
            0,
            value.length,
            null,
            value,
            headers,
            Optional.empty()));
  }

  private void append(long sequence, Event... events) {
    append(new RecordHeaders(), sequence, events);
  }

  private Findings findings() {
    Findings findings = new Findings();
    check.report(findings, waits);
    return findings;
  }

  /** Four events of which two fail. */
  private void fourEvents() {
    append(1, event("p1", "now"), event("p2", "now first"), event("p3", "now always"));
    append(2, event("p4", "later"));
  }

  @Test
  void eachHandledOnceInOrder_orADeadLetter_isRight() {
    fourEvents();
    append(2, event("p4", "later")); // again
    append(0, event("p5", "now")); // signed without a sequence
    append(
        (RecordHeaders)
            new RecordHeaders()
                .add(NaiveEvents.FORGED, "UNSIGNED".getBytes(StandardCharsets.US_ASCII)),
        3,
        event("p6", "now"));
    check.emitted(KEY, "p1 1");
    check.emitted(KEY, "p2 2");
    check.emitted(KEY, "p4 3");
    check.deadLetter(event("p3", "now always"));

    assertThat(findings().lines()).isEmpty();
    assertThat(waits.total()).isZero();
    assertThat(check.accepted()).isEqualTo(4);
  }

  @Test
  void eventThatIsNotHandledAgain_isLost() {
    fourEvents();
    check.emitted(KEY, "p1 1");
    check.emitted(KEY, "p4 2");
    check.deadLetter(event("p3", "now always"));

    assertThat(findings().lost()).isEqualTo(1);
    assertThat(waits.total()).isEqualTo(1);
  }

  @Test
  void eventThatOvertakesTheOneThatIsHandledAgain_isWrong() {
    fourEvents();
    check.emitted(KEY, "p1 1");
    check.emitted(KEY, "p4 2");
    check.emitted(KEY, "p2 3");
    check.deadLetter(event("p3", "now always"));

    assertThat(findings().wrongRecords()).isEqualTo(1);
  }

  @Test
  void eventThatIsHandledTwice_orIsADeadLetterToo_isWrong() {
    fourEvents();
    check.emitted(KEY, "p1 1");
    check.emitted(KEY, "p2 2");
    check.emitted(KEY, "p2 3");
    check.emitted(KEY, "p4 4");
    check.deadLetter(event("p2", "now first"));
    check.deadLetter(event("p3", "now always"));

    Findings findings = findings();
    assertThat(findings.wrongRecords()).isEqualTo(1);
    assertThat(findings.doubled()).isEqualTo(1);
  }

  @Test
  void forgersEventThatCounts_isDoubled() {
    append(
        (RecordHeaders)
            new RecordHeaders()
                .add(NaiveEvents.FORGED, "BAD_SIGNATURE".getBytes(StandardCharsets.US_ASCII)),
        1,
        event("p1", "now"));
    check.emitted(KEY, "p1 1");

    assertThat(findings().doubled()).isEqualTo(1);
  }

  @Test
  void eventOfABrokerThatIsAhead_isNotExpectedToBeHandled() {
    Event ahead = event("p6", "now").toBuilder().setTimestampMs(62_001).build();

    append(1, ahead, event("p7", "now"));
    check.emitted(KEY, "p7 1");

    assertThat(findings().areNone()).isTrue();
    assertThat(check.subjectsAhead()).containsExactly("p6");
    assertThat(check.acceptedSubjects()).containsOnlyKeys("p7");
  }
}
