package io.weir.lab.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.FoldReason;
import io.weir.v1.FoldedEvent;
import io.weir.v1.FoldedField;
import io.weir.v1.Value;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** Quiet is 100, hold 300, two fields at the most; append times begin with 1,000,000. */
class EventCheckTest {
  private static final String KEY = "a";
  private static final int PARTITION = SensorPartition.of(KEY);
  private static final NaiveEventRules RULES =
      new NaiveEventRules(100, 300, 2, 10, 1, 5, 20, 50, NaiveRules.of(60_000), true);

  private final TopicRecords records = new TopicRecords(PARTITION);
  private EventCheck check = check(Long.MAX_VALUE);

  /**
   * @param eventsTo up to where weir.events was read: 0 where a test is about timers alone
   */
  private static EventCheck check(long eventsTo) {
    Map<String, Long> to = new HashMap<>();
    to.put(TopicNames.ALL.of(Topic.EVENTS), eventsTo);
    to.put(TopicNames.ALL.of(Topic.SCHEDULED), Long.MAX_VALUE);
    return new EventCheck(TopicNames.ALL, RULES, PARTITION, to);
  }

  private static Event.Builder event(String field, long value) {
    return Event.newBuilder()
        .setKey(KEY)
        .setTimestampMs(999_000 + value)
        .putFields(field, Value.newBuilder().setInt64Value(value).build());
  }

  private static Event.Builder timer(String id, long dueMs) {
    return Event.newBuilder().setKey(KEY).setId(id).setDueMs(dueMs).setTimestampMs(7);
  }

  private long ownSequence;

  private void append(Topic topic, long appendMs, EventBatch.Builder batch) {
    check.take(records.of(topic, appendMs, null, batch.build()));
  }

  private void append(Topic topic, long appendMs, Event... events) {
    EventBatch.Builder batch = EventBatch.newBuilder();
    for (Event event : events) {
      batch.addEvents(event);
    }
    append(topic, appendMs, batch);
  }

  private void fired(long appendMs, Event event) {
    append(
        Topic.EVENTS,
        appendMs,
        EventBatch.newBuilder()
            .setGatewayId("weir/weir-events/0")
            .setBootId(1)
            .setSequence(++ownSequence)
            .addEvents(event));
  }

  private void folded(FoldedEvent.Builder fold) {
    check.take(records.of(Topic.FOLDED, 1_000_000, KEY, fold.build()));
  }

  private static FoldedEvent.Builder fold(long offset, int index, long events, FoldReason reason) {
    return FoldedEvent.newBuilder()
        .setKey(KEY)
        .setOffset(offset)
        .setIndex(index)
        .setEventCount(events)
        .setReason(reason);
  }

  private static FoldedField field(long first, long last, long occurrences) {
    return FoldedField.newBuilder()
        .setFirst(Value.newBuilder().setInt64Value(first))
        .setLast(Value.newBuilder().setInt64Value(last))
        .setLastTimestampMs(999_000 + last)
        .setOccurrences(occurrences)
        .build();
  }

  /** Two events, the newer one first, and silence. */
  private FoldedEvent.Builder twoEventsAndTheirFold() {
    append(
        Topic.EVENTS,
        1_000_000,
        event("x", 9).setSubject("s").build(),
        event("x", 3).setSubject("r").build());
    check.take(records.tick(Topic.EVENTS, 1_000_099));
    check.take(records.tick(Topic.EVENTS, 1_000_100));
    return fold(0, 0, 2, FoldReason.FOLD_REASON_QUIET)
        .putFields("x", field(3, 9, 2))
        .setFirstTimestampMs(999_003)
        .setLastTimestampMs(999_009)
        .addSubjects("r")
        .addSubjects("s")
        .setSubjectCount(2);
  }

  @Test
  void foldThatIsRight_isExact() {
    folded(twoEventsAndTheirFold());

    assertThat(check.findings().lines()).isEmpty();
    assertThat(check.counts().folding()).isEqualTo(2);
    assertThat(check.waiting(0, new Waits()).total()).isZero();
  }

  @Test
  void foldThatIsMissing_isLost() {
    twoEventsAndTheirFold();

    assertThat(check.findings().lost()).isEqualTo(1);
  }

  @Test
  void foldThatCameTwice_isDoubled() {
    FoldedEvent.Builder fold = twoEventsAndTheirFold();
    folded(fold);
    folded(fold);

    assertThat(check.findings().doubled()).isEqualTo(1);
  }

  @Test
  void foldWithAnotherLast_isWrong() {
    folded(twoEventsAndTheirFold().putFields("x", field(9, 3, 2)));

    assertThat(check.findings().wrongRecords()).isEqualTo(1);
    assertThat(check.findings().lines().get(0)).contains("must be");
  }

  @Test
  void batchSentAgain_countsOnce() {
    EventBatch.Builder batch =
        EventBatch.newBuilder()
            .setGatewayId("g")
            .setBootId(1)
            .setSequence(1)
            .addEvents(event("x", 1));
    append(Topic.EVENTS, 1_000_000, batch);
    append(Topic.EVENTS, 1_000_001, batch);
    check.take(records.tick(Topic.EVENTS, 1_000_101));
    folded(
        fold(0, 0, 1, FoldReason.FOLD_REASON_QUIET)
            .putFields("x", field(1, 1, 1))
            .setFirstTimestampMs(999_001)
            .setLastTimestampMs(999_001));

    assertThat(check.findings().lines()).isEmpty();
    assertThat(check.counts().repeated()).isEqualTo(1);
  }

  @Test
  void foldWithoutRoom_endsBeforeTheEvent_andOneWithoutPause_isEmitted() {
    append(Topic.EVENTS, 1_000_000, event("x", 1).build());
    append(Topic.EVENTS, 1_000_000, event("y", 1).build());
    append(Topic.EVENTS, 1_000_000, event("z", 1).build());
    for (int ms = 90; ms <= 300; ms += 70) {
      append(Topic.EVENTS, 1_000_000 + ms, event("z", 1).build());
    }

    assertThat(check.findings().lines())
        .hasSize(2)
        .anyMatch(line -> line.contains("FOLD_REASON_LIMIT"))
        .anyMatch(line -> line.contains("FOLD_REASON_MAX_HOLD"));
  }

  @Test
  void eventsThatWereNotRead_areNotExpected_andWaitedFor() {
    check = check(0);
    append(Topic.EVENTS, 1_000_000, event("x", 1).build());
    check.take(records.tick(Topic.EVENTS, 1_000_100));

    assertThat(check.findings().areNone()).isTrue();
    assertThat(check.waiting(0, new Waits()).total()).isEqualTo(1);
  }

  @Test
  void timerThatCameInTime_isExact() {
    check = check(0);
    append(Topic.SCHEDULED, 1_000_000, timer("t", 1_000_050).build());
    assertThat(check.waiting(1_000_049, new Waits()).total()).isZero();
    assertThat(check.waiting(1_000_050, new Waits()).total()).isEqualTo(1);
    check.take(records.tick(Topic.SCHEDULED, 1_000_050));
    fired(1_000_060, timer("t", 1_000_050).build());

    assertThat(check.counts().due()).isEqualTo(1);
    assertThat(check.findings().lines()).isEmpty();
  }

  @Test
  void timerThatDidNotCome_isLost() {
    check = check(0);
    append(Topic.SCHEDULED, 1_000_000, timer("t", 1_000_050).build());
    check.take(records.tick(Topic.SCHEDULED, 1_000_050));

    assertThat(check.findings().lost()).isEqualTo(1);
  }

  @Test
  void timerThatCameTwice_isDoubled() {
    check = check(0);
    append(Topic.SCHEDULED, 1_000_000, timer("t", 1_000_000).build());
    fired(1_000_060, timer("t", 1_000_000).build());
    fired(1_000_061, timer("t", 1_000_000).build());

    assertThat(check.findings().doubled()).isEqualTo(1);
  }

  @Test
  void timerBeforeItsTime_isWrong() {
    check = check(0);
    append(Topic.SCHEDULED, 1_000_000, timer("t", 1_000_050).build());
    check.take(records.tick(Topic.SCHEDULED, 1_000_050));
    fired(1_000_049, timer("t", 1_000_050).build());

    assertThat(check.findings().lines()).singleElement().asString().contains("early by 1 ms");
  }

  @Test
  void cancelledAndReplacedTimers_mustNotCome() {
    check = check(0);
    append(
        Topic.SCHEDULED, 1_000_000, timer("t", 1_000_050).build(), timer("u", 1_000_050).build());
    append(
        Topic.SCHEDULED,
        1_000_001,
        timer("t", 0).setCancel(true).build(),
        timer("u", 1_000_051).build());
    check.take(records.tick(Topic.SCHEDULED, 1_000_060));
    fired(1_000_060, timer("u", 1_000_051).build());
    assertThat(check.findings().areNone()).isTrue();
    assertThat(check.counts().cancelled()).isEqualTo(1);
    assertThat(check.counts().replaced()).isEqualTo(1);

    fired(1_000_061, timer("t", 1_000_050).build());
    fired(1_000_061, timer("u", 1_000_050).build());

    assertThat(check.findings().doubled()).isEqualTo(2);
  }

  @Test
  void timerThatRepeats_comesOnceForWhatWasMissed() {
    check = check(0);
    append(Topic.SCHEDULED, 1_000_000, timer("t", 1_000_000).setEveryMs(1_000).build());
    check.take(records.tick(Topic.SCHEDULED, 1_003_500));
    fired(1_000_000, timer("t", 1_000_000).setEveryMs(1_000).build());
    fired(1_003_501, timer("t", 1_003_000).setEveryMs(1_000).setMissed(2).build());

    assertThat(check.findings().areNone()).isTrue();
    assertThat(check.counts().missed()).isEqualTo(2);
    assertThat(check.counts().waiting()).isEqualTo(1);
  }

  @Test
  void timersInAnotherOrder_areWrong() {
    check = check(0);
    append(Topic.SCHEDULED, 1_000_000, timer("t", 1_000_000).build(), timer("u", 999_999).build());
    fired(1_000_000, timer("t", 1_000_000).build());
    fired(1_000_001, timer("u", 999_999).build());

    assertThat(check.findings().lines()).singleElement().asString().contains("another order");
  }

  @Test
  void refusedEvents_standOnTheDeadLettersOnce() {
    Event wrong = timer("t", 1_000_000).setEveryMs(999).build();
    append(Topic.SCHEDULED, 1_000_000, wrong);
    assertThat(check.findings().lost()).isEqualTo(1);
    Headers headers = new RecordHeaders();
    header(headers, DeadLetterHeaders.TOPIC, TopicNames.ALL.of(Topic.SCHEDULED));
    header(headers, DeadLetterHeaders.OFFSET, "0");
    header(headers, DeadLetterHeaders.REASON, "INVALID_EVERY");
    byte[] deadLetter = EventBatch.newBuilder().addEvents(wrong).build().toByteArray();

    check.take(records.of(Topic.DEAD_LETTERS, 1_000_000, null, deadLetter, headers));

    assertThat(check.findings().areNone()).isTrue();
  }

  @Test
  void expiredTimer_isOneDeadLetter_andNoEvent() {
    check = check(0);
    Event repeats = timer("t", 1_000_100).setEveryMs(1_000).setExpiresMs(1_000_500).build();
    append(Topic.SCHEDULED, 1_000_000, repeats);
    check.take(records.tick(Topic.SCHEDULED, 1_000_501));
    check.take(records.tick(Topic.SCHEDULED, 1_009_000));
    assertThat(check.findings().lost()).isEqualTo(1);
    Headers headers = new RecordHeaders();
    header(headers, DeadLetterHeaders.TOPIC, TopicNames.ALL.of(Topic.SCHEDULED));
    header(headers, DeadLetterHeaders.OFFSET, "7");
    header(headers, DeadLetterHeaders.REASON, "EXPIRED_EVENT");
    byte[] deadLetter = EventBatch.newBuilder().addEvents(repeats).build().toByteArray();

    check.take(records.of(Topic.DEAD_LETTERS, 1_000_600, null, deadLetter, headers));

    assertThat(check.findings().lines()).isEmpty();
    assertThat(check.counts().waiting()).isZero();
  }

  private static void header(Headers headers, String name, String value) {
    headers.add(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
