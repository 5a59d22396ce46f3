package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import io.weir.edge.EventPublisherSettings.Fold;
import io.weir.v1.Event;
import io.weir.v1.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Folding before the way, compared with lists of the events that each fold is made of. */
class EventFoldsTest {
  private static final Fold FOLD = new Fold(Duration.ofSeconds(5), Duration.ofSeconds(20));

  private final List<Event> sent = new ArrayList<>();
  private boolean full;

  private Offer output(Event event, List<Acknowledgement> acknowledgements) {
    if (full) {
      return Offer.SUSPENDED;
    }
    sent.add(event);
    acknowledgements.forEach(Acknowledgement::acknowledged);
    return Offer.ACCEPTED;
  }

  private EventFolds folds(long maxBytes) {
    return new EventFolds(FOLD, maxBytes, this::output);
  }

  private static Event event(String key, String subject, long timestampMs, String field, long n) {
    return Event.newBuilder()
        .setKey(key)
        .setSubject(subject)
        .setTimestampMs(timestampMs)
        .putFields(field, Value.newBuilder().setInt64Value(n).build())
        .build();
  }

  private static long nanos(double seconds) {
    return (long) (seconds * 1e9);
  }

  @Test
  void closed_takesNothingMore_andSendsWhatItTook() {
    EventFolds folds = folds(1 << 20);
    Event taken = event("k", "s", 1, "a", 1);
    folds.offer(taken, null, 0);
    folds.close();

    assertThat(folds.offer(event("k", "s", 2, "a", 2), null, 0)).isEqualTo(Offer.CLOSED);
    assertThat(folds.events()).isEqualTo(1);
    assertThat(folds.sendAll()).isTrue();
    assertThat(sent).containsExactly(taken);
  }

  @Test
  void eventsOfAKey_becomeOne_whenItRests() {
    EventFolds folds = folds(1 << 20);
    folds.offer(event("account_1", "post_1", 1_000, "likes", 10), null, nanos(0));
    folds.offer(event("account_1", "post_1", 3_000, "likes", 11), null, nanos(2));
    folds.offer(event("account_1", "post_1", 2_000, "shares", 5), null, nanos(3));
    folds.offer(event("account_1", "post_2", 2_000, "likes", 1), null, nanos(3));

    folds.sendDue(nanos(7.9));
    assertThat(sent).isEmpty();
    folds.sendDue(nanos(8));

    assertThat(sent)
        .containsExactly(
            event("account_1", "post_1", 3_000, "likes", 11).toBuilder()
                .putFields("shares", Value.newBuilder().setInt64Value(5).build())
                .putFieldTimestampsMs("shares", 2_000)
                .build(),
            event("account_1", "post_2", 2_000, "likes", 1));
    assertThat(folds.events()).isZero();
  }

  @Test
  void keyThatNeverRests_isSentAfterMaxHold() {
    EventFolds folds = folds(1 << 20);
    for (int second = 0; second <= 20; second++) {
      folds.offer(event("k", "", 1_000 + second, "f", second), null, nanos(second));
      folds.sendDue(nanos(second));
    }
    assertThat(sent).hasSize(1);
    assertThat(sent.get(0).getFieldsOrThrow("f").getInt64Value()).isEqualTo(20);
  }

  @Test
  void valueWithAnOlderTime_doesNotReplaceANewerOne() {
    EventFolds folds = folds(1 << 20);
    folds.offer(event("k", "", 5_000, "f", 5), null, 0);
    folds.offer(event("k", "", 4_000, "f", 4), null, 0);
    folds.offer(event("k", "", 5_000, "f", 6), null, 0);
    folds.sendAll();
    assertThat(sent).containsExactly(event("k", "", 5_000, "f", 6));
  }

  /** In a fold with others its end would be theirs. */
  @Test
  void eventThatExpires_isNotFolded() {
    EventFolds folds = folds(1 << 20);
    Event expires = event("k", "", 1, "f", 2).toBuilder().setExpiresMs(9).build();
    folds.offer(event("k", "", 1, "f", 1), null, 0);
    folds.offer(expires, null, 0);
    assertThat(sent).containsExactly(event("k", "", 1, "f", 1), expires);
  }

  @Test
  void scheduledEvent_goesBehindWhatWaitsOfItsKey() {
    EventFolds folds = folds(1 << 20);
    Event scheduled = Event.newBuilder().setKey("k").setDueMs(9).setId("t").build();
    folds.offer(event("k", "", 1, "f", 1), null, 0);
    folds.offer(event("other", "", 1, "f", 1), null, 0);
    full = true;
    assertThat(folds.offer(scheduled, null, 0)).isEqualTo(Offer.SUSPENDED);
    full = false;
    assertThat(folds.offer(scheduled, null, 0)).isEqualTo(Offer.ACCEPTED);
    assertThat(sent).containsExactly(event("k", "", 1, "f", 1), scheduled);
  }

  /** Each fold is what a list of its events comes to; each event is acknowledged once, in one. */
  @Test
  void randomHistories_areWhatListsOfEventsComeTo() {
    Seeds.forEach(200, this::history);
  }

  private void history(Random random) {
    sent.clear();
    Map<String, List<Event>> accepted = new HashMap<>();
    List<List<Event>> acknowledged = new ArrayList<>();
    EventFolds folds =
        new EventFolds(
            FOLD,
            500 + random.nextInt(20_000),
            (event, acknowledgements) -> {
              acknowledged.add(new ArrayList<>());
              Offer offer = output(event, acknowledgements);
              if (offer != Offer.ACCEPTED) {
                acknowledged.remove(acknowledged.size() - 1);
              }
              return offer;
            });
    long nowNanos = 0;
    for (int step = 0; step < 300; step++) {
      full = random.nextInt(10) == 0;
      Event event =
          event(
              "k" + random.nextInt(4),
              "s" + random.nextInt(2),
              1_000 + random.nextInt(50),
              "f" + random.nextInt(5),
              step);
      Acknowledgement known = () -> acknowledged.get(acknowledged.size() - 1).add(event);
      if (folds.offer(event, known, nowNanos) == Offer.ACCEPTED) {
        accepted.computeIfAbsent(nameOf(event), name -> new ArrayList<>()).add(event);
      }
      nowNanos += nanos(random.nextDouble() * 3);
      folds.sendDue(nowNanos);
    }
    full = false;
    assertThat(folds.sendAll()).isTrue();

    assertThat(folds.events()).isZero();
    assertThat(sent).isEqualTo(acknowledged.stream().map(EventFoldsTest::folded).toList());
    Map<String, List<Event>> inOrder = new HashMap<>();
    for (List<Event> fold : acknowledged) {
      inOrder.computeIfAbsent(nameOf(fold.get(0)), name -> new ArrayList<>()).addAll(fold);
    }
    assertThat(inOrder).isEqualTo(accepted);
  }

  private static String nameOf(Event event) {
    return event.getKey() + " " + event.getSubject();
  }

  /** Of each field the value of the last event with the newest time. */
  private static Event folded(List<Event> events) {
    Event.Builder fold = events.get(0).toBuilder().clearFields().clearTimestampMs();
    Map<String, Long> timesMs = new HashMap<>();
    for (Event event : events) {
      fold.setTimestampMs(Math.max(fold.getTimestampMs(), event.getTimestampMs()));
      event
          .getFieldsMap()
          .forEach(
              (name, value) -> {
                if (event.getTimestampMs() >= timesMs.getOrDefault(name, 0L)) {
                  timesMs.put(name, event.getTimestampMs());
                  fold.putFields(name, value);
                }
              });
    }
    timesMs.forEach(
        (name, ms) -> {
          if (ms != fold.getTimestampMs()) {
            fold.putFieldTimestampsMs(name, ms);
          }
        });
    return fold.build();
  }
}
