package io.weir.internal.topology;

import static io.weir.internal.topology.EventDriver.EVENTS;
import static io.weir.internal.topology.EventDriver.KEY;
import static io.weir.internal.topology.EventDriver.SCHEDULED;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.weir.Seeds;
import io.weir.internal.event.FoldSpec;
import io.weir.internal.event.NaiveTimers;
import io.weir.internal.event.RandomEvents;
import io.weir.internal.event.TimerLimits;
import io.weir.internal.topology.EventDriver.Emitted;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a scheduled event comes, and which. */
class ScheduleMeaningTest {
  private static final int HOUR_MS = 3_600_000;

  private EventDriver driver = new EventDriver(FoldSpec.DEFAULT);

  @AfterEach
  void close() {
    driver.close();
  }

  private Event.Builder due(String id, long inMs) {
    return Event.newBuilder().setKey(KEY).setId(id).setDueMs(driver.nowMs() + inMs);
  }

  @Test
  void scheduledEvent_comesOnce_neverEarly_withinASecond() {
    for (int i = 0; i < 50; i++) {
      driver.send(SCHEDULED, due("" + i, 1 + 137L * i).build());
    }
    driver.silence(20_000);
    List<Emitted<Event>> fired = driver.fired();
    assertThat(fired).hasSize(50);
    assertThat(fired)
        .allSatisfy(
            event ->
                assertThat(event.appendMs() - event.message().getDueMs()).isBetween(0L, 1_000L));
    assertThat(fired).extracting(event -> event.message().getId()).doesNotHaveDuplicates();
  }

  /** It has the time at which it was due, and is folded as any other event. */
  @Test
  void eventThatCameDue_isAnEvent() {
    driver.send(SCHEDULED, due("x", 1_000).setType("check").build());
    driver.silence(10_000);
    Event fired = driver.fired().get(0).message();
    assertThat(fired.getTimestampMs()).isEqualTo(fired.getDueMs());
    assertThat(fired.getType()).isEqualTo("check");
    assertThat(driver.folds()).hasSize(1);
  }

  /** Readers have applied what the lost part of a state sent. */
  @Test
  void eventThatComesDueAfterAnAcceptedLoss_isNoDuplicateForReaders() {
    List<byte[]> sent = new ArrayList<>();
    for (String id : List.of("kept", "lost", "later")) {
      driver.send(SCHEDULED, due(id, 1_000).build());
      driver.silence(5_000);
      sent.addAll(driver.values(EVENTS));
      if (id.equals("kept")) {
        driver.restart(0);
      } else {
        driver.restartWithLoss(3);
      }
    }
    try (EventDriver reader = new EventDriver(FoldSpec.DEFAULT)) {
      sent.forEach(batch -> reader.pipe(EVENTS, batch, new RecordHeaders()));
      assertThat(reader.counts.events).isEqualTo(3);
      assertThat(reader.counts.duplicates + reader.counts.refused).isZero();
    }
  }

  private List<String> refused() {
    return driver.deadLetters().stream()
        .map(letter -> letter.header("weir.reason") + " " + letter.header("__streams.errors.topic"))
        .toList();
  }

  /** Whoever sent it is there to hear of it; when it comes due nobody is. */
  @Test
  void eventThatWouldBeRefusedWhenItComes_isRefusedWhenItIsScheduled() {
    int mostBytes = 262_144;
    for (int repeated = 0; repeated < 2; repeated++) {
      Event.Builder event = due("a", 1_000).setEveryMs(repeated * 86_400_000);
      event.setSubject("").putFields("b", bytes(mostBytes - 200));
      int left = mostBytes - event.build().getSerializedSize();
      for (int less = 40; less >= 0; less--) {
        event.putFields("b", bytes(mostBytes - 200 + left - less));
        driver.send(SCHEDULED, event.setId(repeated + "-" + (10 + less)).build());
      }
    }
    int tooLarge = refused().size();
    driver.silence(2_000);
    assertThat(driver.fired()).hasSize(82 - tooLarge);
    assertThat(refused()).isEmpty();
    assertThat(tooLarge).isBetween(50, 70);

    driver.send(SCHEDULED, due("b", 1_000).setTimestampMs(driver.nowMs() + 600_000).build());
    driver.send(SCHEDULED, due("c", 600_000).setTimestampMs(driver.nowMs() + 600_000).build());
    assertThat(refused()).containsExactly("FUTURE_TIMESTAMP weir.scheduled");
    driver.pass(600_000);
    driver.silence(2_000);
    assertThat(driver.fired()).extracting(came -> came.message().getId()).containsExactly("c");
    assertThat(refused()).isEmpty();
  }

  private static Value bytes(int count) {
    return Value.newBuilder().setBytesValue(ByteString.copyFrom(new byte[count])).build();
  }

  @Test
  void replacedAndCancelledOnes_doNotCome() {
    driver.send(SCHEDULED, due("a", 1_000).setType("old").build(), due("b", 1_000).build());
    driver.send(SCHEDULED, due("a", 2_000).setType("new").build());
    driver.send(SCHEDULED, Event.newBuilder().setKey(KEY).setId("b").setCancel(true).build());
    driver.silence(5_000);
    assertThat(driver.fired())
        .extracting(event -> event.message().getType())
        .containsExactly("new");
  }

  @Test
  void dueInThePast_comesAtOnce() {
    driver.send(SCHEDULED, due("a", -HOUR_MS).build());
    assertThat(driver.fired()).hasSize(1);
  }

  @Test
  void repeatsMissedInAnOutage_comeOnce_andSayHowMany() {
    long firstMs = driver.nowMs() + 1_000;
    driver.send(SCHEDULED, due("a", 1_000).setEveryMs(60_000).build());
    driver.silence(2_000);
    driver.restart(10 * 60_000);
    driver.silence(
        31_000); // The driver restores a task after its start: its heartbeat comes first.
    List<Emitted<Event>> fired = driver.fired();
    assertThat(fired).hasSize(1); // Those before the restart went with the driver.
    assertThat(fired.get(0).message().getMissed()).isEqualTo(9);
    assertThat(fired.get(0).message().getDueMs()).isEqualTo(firstMs + 10 * 60_000);
    driver.silence(60_000);
    assertThat(driver.fired())
        .extracting(event -> event.message().getDueMs())
        .containsExactly(firstMs + 11 * 60_000);
  }

  /** Nothing else is written, and the process is away for half of it. */
  @Test
  void eventDueInAnHour_comesInAnHour() {
    driver.send(SCHEDULED, due("a", HOUR_MS).build());
    long dueMs = driver.nowMs() + HOUR_MS;
    driver.silence(HOUR_MS / 4);
    driver.restart(HOUR_MS / 2);
    driver.silence(HOUR_MS / 2);
    List<Emitted<Event>> fired = driver.fired();
    assertThat(fired).hasSize(1);
    assertThat(fired.get(0).appendMs()).isBetween(dueMs, dueMs + 1_000);
  }

  @Test
  void moreThanTenThousandOfAKey_areDeadLetters_andOtherKeysGoOn() {
    for (int n = 0; n < 11; n++) {
      EventBatch.Builder batch = EventBatch.newBuilder();
      for (int i = 0; i < 1_000; i++) {
        batch.addEvents(due(n + "-" + i, HOUR_MS));
      }
      driver.send(SCHEDULED, batch.build());
    }
    driver.send(SCHEDULED, due("x", HOUR_MS).setKey(EventDriver.keys(2).get(1)).build());
    assertThat(driver.deadLetters())
        .extracting(deadLetter -> deadLetter.header("weir.reason"))
        .containsExactly("TOO_MANY_TIMERS");
    assertThat(driver.counts.refused).isEqualTo(1_000);
  }

  @Test
  void whatCannotBeScheduled_isADeadLetter() {
    driver.send(
        SCHEDULED,
        due("a", 0).setDueMs(0).build(),
        due("b", 1_000).setEveryMs(999).build(),
        due("c", 1_000).setTimestampMs(-1).build(),
        due("d", -1).build());
    assertThat(driver.deadLetters())
        .extracting(deadLetter -> deadLetter.header("weir.reason"))
        .containsExactlyInAnyOrder("INVALID_DUE", "INVALID_EVERY", "INVALID_TIMESTAMP");
    assertThat(driver.fired()).hasSize(1);
  }

  /** More than one record may write come with ticks right behind. */
  @Test
  void moreDueAtOnceThanARecordWrites_allComeSoon() {
    for (int key = 0; key < 3; key++) {
      EventBatch.Builder batch = EventBatch.newBuilder();
      for (int i = 0; i < 9_000; i++) {
        batch.addEvents(due("" + i, 5_000).setKey(EventDriver.keys(3).get(key)));
      }
      driver.send(SCHEDULED, batch.build());
    }
    driver.silence(6_000);
    assertThat(driver.fired()).hasSize(27_000);
    assertThat(driver.counts.latestMs).isLessThan(1_000);
  }

  @Test
  void randomHistories_overRestarts_areThoseOfANaiveScheduler() {
    driver.close();
    Seeds.forEach(20, this::history);
    driver = new EventDriver(FoldSpec.DEFAULT);
  }

  private void history(Random random) {
    TimerLimits limits = new TimerLimits(100, 100, 300 + random.nextInt(1_000), 2_000);
    try (EventDriver own = new EventDriver(FoldSpec.DEFAULT, limits)) {
      RandomEvents events = new RandomEvents(random);
      List<String> keys = EventDriver.keys(3);
      NaiveTimers naive = new NaiveTimers(limits);
      long refused = 0;
      for (int step = 0; step < 60; step++) {
        own.pass(random.nextInt(1_500));
        EventBatch.Builder batch = EventBatch.newBuilder();
        EventBatch orders = events.orders(3, own.nowMs());
        batch.setGatewayId(orders.getGatewayId());
        for (Event event : orders.getEventsList()) {
          batch.addEvents(
              event.toBuilder().setKey(keys.get(Integer.parseInt(event.getKey().substring(1)))));
        }
        List<Event> expected = new ArrayList<>(naive.due(own.nowMs(), 10_000));
        refused += naive.expired().size();
        refused +=
            IntStream.range(0, batch.getEventsCount())
                .filter(
                    i ->
                        isTooLate(batch.getEvents(i), own.nowMs())
                            || !naive.order(batch.build(), i))
                .count();
        expected.addAll(naive.due(own.nowMs(), 10_000));
        refused += naive.expired().size();
        own.send(SCHEDULED, batch.build());
        assertThat(own.fired()).extracting(Emitted::message).isEqualTo(expected);
        assertThat(own.counts.refused).isEqualTo(refused);
        if (random.nextInt(8) == 0) {
          own.restart(random.nextInt(3_000));
        }
      }
    }
  }

  @Test
  void repetition_goesOnWhereAClockWasADayAheadOnce() {
    driver.send(SCHEDULED, due("every", 1_000).setEveryMs(10_000).build());
    driver.send(SCHEDULED, due("later", 7_200_000).setEveryMs(10_000).build());
    driver.silence(30_000);
    long before = driver.fired().size();
    driver.pass(86_400_000);
    driver.send(SCHEDULED, due("other", 1_000).build());
    assertThat(driver.fired()).hasSize(2);
    driver.pass(-86_400_000);
    driver.send(SCHEDULED, due("another", 86_400_000).build());
    driver.silence(600_000);
    List<EventDriver.Emitted<Event>> fired = driver.fired();
    assertThat(before).isEqualTo(3);
    assertThat(fired).hasSize(60).allMatch(each -> each.message().getId().equals("every"));
    for (int i = 1; i < fired.size(); i++) {
      assertThat(fired.get(i).message().getDueMs())
          .isEqualTo(fired.get(i - 1).message().getDueMs() + 10_000);
      assertThat(fired.get(i).message().getMissed()).isZero();
    }
  }

  private static boolean isTooLate(Event event, long nowMs) {
    long comesMs = event.getCancel() ? nowMs : Math.max(nowMs, event.getDueMs());
    return event.getExpiresMs() != 0 && comesMs > event.getExpiresMs();
  }

  @Test
  void eventThatIsAppendedAfterItExpired_isADeadLetter() {
    driver.send(SCHEDULED, due("late", -3).setExpiresMs(driver.nowMs() - 1).build());
    driver.send(SCHEDULED, due("in time", -3).setExpiresMs(driver.nowMs()).build());
    driver.send(SCHEDULED, due("never", 1_001).setExpiresMs(driver.nowMs() + 1_000).build());
    driver.send(EVENTS, happened().setExpiresMs(driver.nowMs() - 1).build());
    driver.send(EVENTS, happened().setExpiresMs(driver.nowMs()).build());
    driver.silence(20_000);
    assertThat(driver.fired())
        .extracting(each -> each.message().getId())
        .containsExactly("in time");
    assertThat(driver.folds())
        .singleElement()
        .satisfies(fold -> assertThat(fold.message().getEventCount()).isEqualTo(2));
    assertThat(refused())
        .containsExactlyInAnyOrder(
            "EXPIRED_EVENT weir.scheduled",
            "EXPIRED_EVENT weir.scheduled",
            "EXPIRED_EVENT weir.events");
  }

  private Event.Builder happened() {
    return Event.newBuilder().setKey(KEY).setTimestampMs(driver.nowMs());
  }

  /** Its repetition does not bring it back; what waits beside it comes. */
  @Test
  void eventThatExpiresWhileItWaits_isOneDeadLetter() {
    driver.send(
        SCHEDULED,
        due("a", 1_000).setEveryMs(2_000).setExpiresMs(driver.nowMs() + 6_000).build(),
        due("b", 1_000).setExpiresMs(driver.nowMs() + 20_000).build(),
        due("c", 30_000).build());
    driver.silence(4_000);
    assertThat(driver.fired())
        .extracting(each -> each.message().getId())
        .containsExactly("a", "b", "a");
    driver.restart(60_000);
    driver.silence(90_000);
    assertThat(driver.fired()).extracting(each -> each.message().getId()).containsExactly("c");
    assertThat(refused()).containsExactly("EXPIRED_EVENT weir.scheduled");
    assertThat(driver.counts.refused).isEqualTo(1);
  }

  /** One small record schedules them all: a record for each would fill the dead letters. */
  @Test
  void eventsThatExpireTogether_areOneDeadLetter() throws Exception {
    Event[] events = new Event[500];
    for (int i = 0; i < events.length; i++) {
      events[i] = due("e" + i, 1_000).setExpiresMs(driver.nowMs() + 1_000).build();
    }
    driver.send(SCHEDULED, events);
    driver.restart(60_000);
    driver.silence(90_000);
    assertThat(refused()).containsExactly("EXPIRED_EVENT weir.scheduled");
    assertThat(driver.counts.refused).isEqualTo(events.length);
  }
}
