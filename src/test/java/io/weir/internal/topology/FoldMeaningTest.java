package io.weir.internal.topology;

import static io.weir.internal.topology.EventDriver.EVENTS;
import static io.weir.internal.topology.EventDriver.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.event.FoldSpec;
import io.weir.internal.topology.EventDriver.Emitted;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.FoldReason;
import io.weir.v1.FoldedEvent;
import io.weir.v1.FoldedField;
import io.weir.v1.Value;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a fold says, and when it is emitted. */
class FoldMeaningTest {
  private final EventDriver driver = new EventDriver(FoldSpec.DEFAULT);

  @AfterEach
  void close() {
    driver.close();
  }

  private Event event(String key, String subject, String... fields) {
    Event.Builder event =
        Event.newBuilder().setKey(key).setSubject(subject).setTimestampMs(driver.nowMs());
    for (String field : fields) {
      String[] parts = field.split("=");
      event.putFields(parts[0], Value.newBuilder().setInt64Value(Long.parseLong(parts[1])).build());
    }
    return event.build();
  }

  private static long last(FoldedEvent fold, String field) {
    return fold.getFieldsOrThrow(field).getLast().getInt64Value();
  }

  /** Posts of two accounts are measured: an entry for each account, not for each measurement. */
  @Test
  void sixEventsOfTwoKeys_areTwoFolds() {
    String other = EventDriver.keys(2).get(1);
    driver.send(EVENTS, event(KEY, "post_1", "likes=10", "shares=5"));
    driver.pass(500);
    driver.send(EVENTS, event(KEY, "post_2", "likes=3"));
    driver.send(EVENTS, event(other, "post_7", "likes=1"));
    driver.pass(500);
    driver.send(EVENTS, event(KEY, "post_1", "likes=11"), event(KEY, "post_1", "comments=2"));
    driver.send(EVENTS, event(other, "post_7", "views=100"));
    driver.silence(7_000);
    List<FoldedEvent> folds = driver.folds().stream().map(Emitted::message).toList();
    assertThat(folds).hasSize(2);
    FoldedEvent first = folds.stream().filter(f -> f.getKey().equals(KEY)).findFirst().get();
    assertThat(first.getFieldsMap()).containsOnlyKeys("likes", "shares", "comments");
    assertThat(first.getFieldsOrThrow("likes"))
        .isEqualTo(
            FoldedField.newBuilder()
                .setFirst(Value.newBuilder().setInt64Value(10))
                .setLast(Value.newBuilder().setInt64Value(11))
                .setLastTimestampMs(10_001_000)
                .setOccurrences(3)
                .build());
    assertThat(first.getEventCount()).isEqualTo(4);
    assertThat(first.getSubjectsList()).containsExactly("post_1", "post_2");
    assertThat(first.getSubjectCount()).isEqualTo(2);
    assertThat(first.getFirstTimestampMs()).isEqualTo(10_000_000);
    assertThat(first.getLastTimestampMs()).isEqualTo(10_001_000);
    assertThat(first.getReason()).isEqualTo(FoldReason.FOLD_REASON_QUIET);
    FoldedEvent second = folds.stream().filter(f -> f.getKey().equals(other)).findFirst().get();
    assertThat(second.getFieldsMap()).containsOnlyKeys("likes", "views");
    assertThat(second.getEventCount()).isEqualTo(2);
  }

  @Test
  void oneEventThenSilence_isAFold_withinQuietAndASecond() {
    driver.send(EVENTS, event(KEY, "", "a=1"));
    long sentMs = driver.nowMs();
    driver.silence(20_000);
    List<Emitted<FoldedEvent>> folds = driver.folds();
    assertThat(folds).hasSize(1);
    assertThat(folds.get(0).appendMs()).isBetween(sentMs + 5_000, sentMs + 6_000);
  }

  @Test
  void streamWithoutPause_isEmitted_everyMaxHold() {
    for (int i = 0; i < 100; i++) {
      driver.send(EVENTS, event(KEY, "", "n=" + i));
      driver.silence(2_500);
    }
    List<Emitted<FoldedEvent>> folds = driver.folds();
    assertThat(folds).hasSize(4);
    for (int i = 1; i < 4; i++) {
      long gapMs = folds.get(i).appendMs() - folds.get(i - 1).appendMs();
      assertThat(gapMs).isBetween(60_000L, 62_000L);
    }
    assertThat(folds)
        .allSatisfy(
            fold -> {
              assertThat(fold.message().getReason()).isEqualTo(FoldReason.FOLD_REASON_MAX_HOLD);
              assertThat(fold.message().getEventCount()).isEqualTo(24);
            });
  }

  @Test
  void fieldsOutOfTheOrderOfTime_lastIsTheNewestByTime() {
    Event late = event(KEY, "", "a=1", "b=1");
    driver.send(
        EVENTS, event(KEY, "", "a=2").toBuilder().setTimestampMs(driver.nowMs() + 9).build());
    driver.pass(100);
    driver.send(EVENTS, late);
    driver.silence(7_000);
    FoldedEvent fold = driver.folds().get(0).message();
    assertThat(last(fold, "a")).isEqualTo(2);
    assertThat(fold.getFieldsOrThrow("a").getFirst().getInt64Value()).isEqualTo(1);
    assertThat(fold.getFieldsOrThrow("a").getOccurrences()).isEqualTo(2);
    assertThat(last(fold, "b")).isEqualTo(1);
  }

  /** The process was away for longer than the quiet time: the fold ends before the next event. */
  @Test
  void eventAfterAnAbsence_beginsAnotherFold() {
    driver.send(EVENTS, event(KEY, "", "a=1"));
    driver.restart(3_600_000);
    driver.send(EVENTS, event(KEY, "", "a=2"));
    List<Emitted<FoldedEvent>> folds = driver.folds();
    assertThat(folds).hasSize(1);
    assertThat(last(folds.get(0).message(), "a")).isEqualTo(1);
  }

  /** A leader whose clock is an hour behind holds no fold for an hour. */
  @Test
  void clockThatGoesBack_holdsNoFoldForLonger() {
    driver.send(EVENTS, event(KEY, "", "a=1"));
    driver.pass(-3_600_000);
    driver.send(EVENTS, event(EventDriver.keys(2).get(1), "", "a=1"));
    driver.silence(7_000);
    assertThat(driver.folds()).hasSize(2);
  }

  @Test
  void batchThatComesAgain_countsOnce() {
    EventBatch batch =
        EventBatch.newBuilder()
            .setGatewayId("g")
            .setBootId(1)
            .setSequence(1)
            .addEvents(event(KEY, "", "a=1"))
            .build();
    driver.send(EVENTS, batch);
    driver.restart(1);
    driver.send(EVENTS, batch);
    driver.silence(7_000);
    assertThat(driver.folds()).hasSize(1);
    assertThat(driver.counts.duplicates).isEqualTo(1);
  }

  @Test
  void punctualEventUnderALeaderWhoseClockIsBehind_counts() {
    driver.send(EVENTS, event(KEY, "", "a=1"));
    Event punctual = event(KEY, "", "a=2");
    driver.pass(-360_000);
    driver.send(EVENTS, punctual);
    driver.silence(7_000);

    assertThat(driver.deadLetters()).isEmpty();
    assertThat(last(driver.folds().get(0).message(), "a")).isEqualTo(2);
  }

  @Test
  void eventsThatWereDeletedUnread_areCounted() {
    driver.cuts.cut(7);
    driver.send(EVENTS, event(KEY, "", "a=1"));
    driver.send(EVENTS, event(KEY, "", "a=2"));

    assertThat(driver.counts.deletedUnread).isEqualTo(7);
  }

  @Test
  void refusedEvents_areDeadLetters_andTheirNeighboursCount() throws Exception {
    Event good = event(KEY, "", "a=1");
    driver.send(
        EVENTS,
        good,
        good.toBuilder().setKey("").build(),
        good.toBuilder().setTimestampMs(0).build(),
        good.toBuilder().setTimestampMs(driver.nowMs() + 300_001).build(),
        good.toBuilder().setType("x".repeat(257)).build(),
        good.toBuilder().setKey("account_of_another_partition").build());
    driver.silence(7_000);
    assertThat(driver.folds()).hasSize(1);
    List<DeadLetter> deadLetters = driver.deadLetters();
    assertThat(deadLetters)
        .extracting(deadLetter -> deadLetter.header("weir.reason"))
        .containsExactlyInAnyOrder(
            "MISSING_KEY", "INVALID_TIMESTAMP", "FUTURE_TIMESTAMP", "TEXT_TOO_LONG", "MISROUTED");
    assertThat(EventBatch.parseFrom(deadLetters.get(0).value()).getEventsCount()).isEqualTo(1);
    assertThat(driver.counts.refused).isEqualTo(5);
  }

  @Test
  void whatIsNoBatch_isADeadLetter_asItCame() {
    byte[] noise = {1, 2, 3};
    driver.pipe(EVENTS, noise, new org.apache.kafka.common.header.internals.RecordHeaders());
    DeadLetter deadLetter = driver.deadLetters().get(0);
    assertThat(deadLetter.header("weir.reason")).isEqualTo("UNDECODABLE");
    assertThat(deadLetter.value()).isEqualTo(noise);
  }

  @Test
  void keyThatComesAgainWithinOneQuietTime_isCounted() {
    driver.send(EVENTS, event(KEY, "", "a=1"));
    driver.silence(6_000);
    driver.send(EVENTS, event(KEY, "", "a=1"));
    assertThat(driver.counts.reopened).isEqualTo(1);
    driver.silence(20_000);
    driver.send(EVENTS, event(KEY, "", "a=1"));
    assertThat(driver.counts.reopened).isEqualTo(1);
  }
}
