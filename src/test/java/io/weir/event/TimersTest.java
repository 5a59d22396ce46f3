package io.weir.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import io.weir.event.Timers.Outcome;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.wire.EventBatchEncoder;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimersTest {
  private final Decoded decoded = new Decoded();

  @Test
  void anyHistory_firesWhatANaiveOneFires() {
    Seeds.forEach(200, this::fireAHistory);
  }

  private void fireAHistory(Random random) throws Exception {
    RandomEvents events = new RandomEvents(random);
    Timers timers = new Timers(3, 1_000);
    NaiveTimers naive = new NaiveTimers(3);
    long nowMs = 1_000_000;
    for (int step = 0; step < 100; step++) {
      nowMs += random.nextInt(1_500) - 100;
      EventBatch batch = events.orders(3, nowMs);
      EventColumns columns = decoded.of(batch);
      for (int i = 0; i < columns.size(); i++) {
        boolean taken = timers.order(columns, i) != Outcome.TOO_MANY;
        assertThat(taken).isEqualTo(naive.order(batch.getEvents(i)));
      }
      int most = random.nextInt(4);
      EventBatchEncoder encoder = new EventBatchEncoder();
      timers.fire(nowMs, most, (timer, dueMs, missed) -> add(encoder, timer, dueMs, missed));
      List<Event> fired = EventBatch.parseFrom(encoder.take()).getEventsList();
      assertThat(fired).isEqualTo(naive.due(nowMs, most));
      assertThat(timers.size()).isEqualTo(naive.size());
    }
  }

  private static void add(EventBatchEncoder encoder, Timer timer, long dueMs, long missed) {
    encoder.add(timer, dueMs, missed);
  }

  @Test
  void farMoreThanOneKey_leaveNothingBehind() {
    Timers timers = new Timers();
    Random random = new Random(1);
    for (int i = 0; i < 5_000; i++) {
      Event event =
          Event.newBuilder().setKey("k" + i).setId("x").setDueMs(1 + random.nextInt(900)).build();
      timers.order(decoded.of(EventBatch.newBuilder().addEvents(event).build()), 0);
    }
    assertThat(timers.nextDueMs()).isBetween(1L, 900L);
    assertThat(timers.fire(1_000, 10_000, (timer, dueMs, missed) -> {})).isFalse();
    assertThat(timers.size()).isZero();
    assertThat(timers.removed()).hasSize(5_000);
    assertThat(timers.touched()).isEmpty();
    assertThat(timers.nextDueMs()).isEqualTo(Long.MAX_VALUE);
  }
}
