package io.weir.lab.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** Keys end after 4 s; starts and ends fail at times that end with 0 or 5, the word f at even. */
class HandlerCheckTest {
  private static final String KEY = "a";
  private static final int PARTITION = SensorPartition.of(KEY);

  private final TopicRecords records = new TopicRecords(PARTITION);
  private final HandlerCheck check =
      new HandlerCheck("dead", NaiveRules.of(60_000), 4_000, PARTITION, Long.MAX_VALUE);

  private void append(long appendMs, String subject, String script) {
    Event event =
        Event.newBuilder()
            .setKey(KEY)
            .setSubject(subject)
            .setStart(true)
            .setTimestampMs(1)
            .setType(script)
            .build();
    append(appendMs, EventBatch.newBuilder().addEvents(event).build());
  }

  private void append(long appendMs, EventBatch batch) {
    check.event(records.of(Topic.EVENTS, appendMs, null, batch));
  }

  private void letter(long offset, String reason, String subject) throws Exception {
    Headers headers = new RecordHeaders();
    Map.of(
            DeadLetterHeaders.REASON,
            reason,
            DeadLetterHeaders.OFFSET,
            Long.toString(offset),
            DeadLetterHeaders.TOPIC,
            "weir.events")
        .forEach((name, value) -> headers.add(name, value.getBytes(StandardCharsets.UTF_8)));
    Event event = Event.newBuilder().setKey(KEY).setSubject(subject).build();
    byte[] value = EventBatch.newBuilder().addEvents(event).build().toByteArray();
    check.deadLetter(records.of(Topic.DEAD_LETTERS, 0, null, value, headers));
  }

  private Findings findings(String... emitted) {
    Map<String, List<String>> all = new HashMap<>();
    all.put(KEY, List.of(emitted));
    return check.findings(all);
  }

  /** The timer is due with the record at 1,002, fails there, and comes again with that at 2,003. */
  private void failedTimer() {
    append(1_001, "n1", "a e t:1:1:f_a_e c:first");
    append(1_002, "n2", "");
    append(2_003, "n3", "");
  }

  @Test
  void timerThatFailsAndComesAgain_isExactWithItsDeadLetter() throws Exception {
    failedTimer();
    letter(1, "HANDLER_RETRY", "<1");

    assertThat(findings("start", "sn1", "sn1<1").lines()).isEmpty();
    assertThat(check.retries()).isEqualTo(1);
  }

  @Test
  void timerThatIsGoneWhereItsCallFailed_isLost() {
    failedTimer();

    assertThat(findings("start", "sn1").lost()).isEqualTo(2); // The emission, the dead letter.
  }

  @Test
  void emissionThatComesTwice_orIsAnother_isFound() throws Exception {
    failedTimer();
    letter(1, "HANDLER_RETRY", "<1");

    assertThat(findings("start", "sn1", "sn1<1", "sn1<1").doubled()).isEqualTo(1);
    assertThat(findings("start", "sn1<1", "sn1").wrongRecords()).isEqualTo(1);
  }

  /** Silent since 1,001: the end fails at 5,005, and comes again four seconds of log time later. */
  private void failedEnd() {
    append(1_001, "n1", "c:first");
    for (long atMs : List.of(3_001L, 5_001L + 4, 7_006L, 9_007L)) {
      append(atMs, EventBatch.getDefaultInstance());
    }
  }

  @Test
  void endThatFailsAndComesAgain_isExactWithItsDeadLetter() throws Exception {
    failedEnd();
    letter(2, "HANDLER_RETRY", "");

    assertThat(findings("start", "end IDLE s").lines()).isEmpty();
    assertThat(check.waiting(new Waits()).total()).isZero();
  }

  @Test
  void endThatFailsAndLeavesNothing_isLost() {
    failedEnd();

    assertThat(findings("start").lost()).isEqualTo(2);
  }

  @Test
  void deadLetterThatNoCallLeft_isFound() throws Exception {
    append(1_001, "n1", "");
    letter(0, "HANDLER", "n1");

    assertThat(findings("start").doubled()).isEqualTo(1);
  }
}
