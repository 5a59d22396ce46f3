package io.weir.internal.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.google.protobuf.ByteString;
import io.weir.Seeds;
import io.weir.internal.event.Timers.Outcome;
import io.weir.internal.wire.EventBatchEncoder;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Value;
import java.util.ArrayList;
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
    TimerLimits limits =
        new TimerLimits(
            1 + random.nextInt(4),
            1 + random.nextInt(10),
            200 + random.nextInt(1_000),
            200 + random.nextInt(3_000));
    Timers timers = new Timers(limits);
    NaiveTimers naive = new NaiveTimers(limits);
    long nowMs = 1_000_000;
    for (int step = 0; step < 100; step++) {
      nowMs += random.nextInt(1_500) - 100;
      EventBatch batch = events.orders(3, nowMs);
      EventColumns columns = decoded.of(batch);
      for (int i = 0; i < columns.size(); i++) {
        boolean taken = timers.order(columns, i) != Outcome.TOO_MANY;
        assertThat(taken).isEqualTo(naive.order(batch, i));
      }
      int most = random.nextInt(4);
      EventBatchEncoder encoder = new EventBatchEncoder();
      List<ByteString> expired = new ArrayList<>();
      timers.fire(
          nowMs, most, encoder::add, timer -> expired.add(ByteString.copyFrom(timer.event())));
      List<Event> fired = EventBatch.parseFrom(encoder.take()).getEventsList();
      assertThat(fired).isEqualTo(naive.due(nowMs, most));
      assertThat(expired).isEqualTo(naive.expired().stream().map(Event::toByteString).toList());
      assertThat(timers.size()).isEqualTo(naive.size());
      assertThat(timers.bytes()).isEqualTo(naive.bytes());
    }
  }

  @Test
  void farMoreThanOneKey_leaveNothingBehind() {
    Timers timers = new Timers(TimerLimits.DEFAULT);
    Random random = new Random(1);
    for (int i = 0; i < 5_000; i++) {
      Event event =
          Event.newBuilder().setKey("k" + i).setId("x").setDueMs(1 + random.nextInt(900)).build();
      timers.order(decoded.of(EventBatch.newBuilder().addEvents(event).build()), 0);
    }
    assertThat(timers.nextDueMs()).isBetween(1L, 900L);
    assertThat(timers.fire(1_000, 10_000, (timer, dueMs, missed) -> {}, timer -> {})).isFalse();
    assertThat(timers.size()).isZero();
    assertThat(timers.bytes()).isZero();
    assertThat(timers.removed()).hasSize(5_000);
    timers.forEachTouched(timer -> fail("to be put"));
    assertThat(timers.nextDueMs()).isEqualTo(Long.MAX_VALUE);
  }

  private Outcome order(Timers timers, String gateway, String id, long everyMs, boolean cancel) {
    Event event =
        Event.newBuilder()
            .setKey("k" + id.charAt(0))
            .setId(id)
            .setDueMs(cancel ? 0 : 1_000)
            .setEveryMs(everyMs)
            .setCancel(cancel)
            .build();
    EventBatch batch =
        EventBatch.newBuilder()
            .setGatewayId(gateway)
            .setBootId(1)
            .setSequence(1)
            .addEvents(event)
            .build();
    return timers.order(decoded.of(batch), 0);
  }

  /** Half of 10,000 firings a second are one gateway's. */
  @Test
  void eventsThatRepeatTooOften_areRefused_andOtherGatewaysGoOn() {
    Timers timers = new Timers(TimerLimits.DEFAULT);
    int accepted = 0;
    for (int i = 10_000; i < 70_000; i += 10) {
      accepted += order(timers, "greedy", "" + i, 1_000, false) == Outcome.SCHEDULED ? 1 : 0;
    }
    assertThat(accepted).isEqualTo(5_000);
    assertThat(order(timers, "greedy", "x", 60_000, false)).isEqualTo(Outcome.TOO_MANY);
    assertThat(order(timers, "greedy", "x", 0, false)).isEqualTo(Outcome.SCHEDULED);
    assertThat(order(timers, "honest", "y", 1_000, false)).isEqualTo(Outcome.SCHEDULED);
    assertThat(order(timers, "greedy", "10000", 500_000, false)).isEqualTo(Outcome.REPLACED);
    assertThat(order(timers, "greedy", "10010", 0, true)).isEqualTo(Outcome.CANCELLED);
    assertThat(order(timers, "honest", "z", 1_000, false)).isEqualTo(Outcome.SCHEDULED);
  }

  /** Events of 250,000 bytes each: 16 MiB of a key hold 67 of them, half of 20 MiB holds 41. */
  @Test
  void largeEvents_areRefusedByTheirBytes_ofAKey_andOfAPartition() {
    Timers timers = new Timers(TimerLimits.DEFAULT);
    for (int key = 0; key < 3; key++) {
      assertThat(scheduled(timers, key)).isEqualTo(67);
    }
    TimerLimits few = TimerLimits.DEFAULT.withBytes(20 << 20);
    Timers ofPartition = new Timers(few);
    assertThat(scheduled(ofPartition, 0) + scheduled(ofPartition, 1)).isEqualTo(41);
    assertThat(ofPartition.bytes()).isLessThanOrEqualTo(20 << 20);
  }

  /** One gateway fills half; whoever has less than an eighth has the other half. */
  @Test
  void timersOfOneGateway_leaveRoomForAnothers() {
    Timers timers = new Timers(new TimerLimits(100, 1_000, 1 << 20, 1 << 20));
    assertThat(ordered(timers, "hostile", 2_000, "")).isEqualTo(500);
    assertThat(ordered(timers, "neighbour", 200, "")).isEqualTo(125);
    assertThat(ordered(timers, "another", 10, "")).isEqualTo(10);
    timers.fire(1, 10_000, (timer, dueMs, missed) -> {}, timer -> {});
    assertThat(ordered(timers, "hostile", 2_000, "")).isEqualTo(500);
  }

  @Test
  void bytesOfOneGateway_leaveRoomForAnothers() {
    Timers timers = new Timers(new TimerLimits(100, 10_000, 1 << 20, 1 << 20));
    String large = "x".repeat(5_000);
    assertThat(ordered(timers, "hostile", 2_000, large)).isBetween(90, 105);
    assertThat(ordered(timers, "neighbour", 200, large)).isBetween(20, 26);
    assertThat(timers.bytes()).isLessThan(1 << 20);
  }

  /** An event of 250 kB is a hundred bytes on the wire, and each second one on the topic. */
  @Test
  void largeEventsThatRepeat_countForEachKibibyte_alsoOnceTheyAreGone() {
    Timers timers = new Timers(TimerLimits.DEFAULT);
    assertThat(repeating(timers, 250_000)).isBetween(18, 21);
    assertThat(repeating(timers, 250_000)).isZero();
    List<Timer> all = new ArrayList<>();
    timers.forEach(all::add);
    all.forEach(timers::cancel);
    assertThat(repeating(timers, 100)).isEqualTo(500);
  }

  private int repeating(Timers timers, int bytes) {
    int scheduled = 0;
    for (int i = 0; i < 500; i++) {
      Event event =
          Event.newBuilder()
              .setKey("k" + i)
              .setDueMs(1)
              .setEveryMs(1_000)
              .putFields("f", Value.newBuilder().setStringValue("x".repeat(bytes)).build())
              .build();
      EventBatch batch = EventBatch.newBuilder().setGatewayId("one").addEvents(event).build();
      scheduled += timers.order(decoded.of(batch), 0) == Outcome.SCHEDULED ? 1 : 0;
    }
    return scheduled;
  }

  private int ordered(Timers timers, String gatewayId, int orders, String text) {
    int scheduled = 0;
    for (int i = 0; i < orders; i++) {
      Event.Builder event = Event.newBuilder().setKey(gatewayId + i).setDueMs(1);
      event.putFields("f", Value.newBuilder().setStringValue(text).build());
      EventBatch batch = EventBatch.newBuilder().setGatewayId(gatewayId).addEvents(event).build();
      scheduled += timers.order(decoded.of(batch), 0) == Outcome.SCHEDULED ? 1 : 0;
    }
    return scheduled;
  }

  private int scheduled(Timers timers, int key) {
    int scheduled = 0;
    for (int i = 0; i < 70; i++) {
      Event event =
          Event.newBuilder()
              .setKey("k" + key)
              .setId("id" + i)
              .setDueMs(1)
              .putFields("f", Value.newBuilder().setStringValue("x".repeat(250_000)).build())
              .build();
      EventColumns columns = decoded.of(EventBatch.newBuilder().addEvents(event).build());
      scheduled += timers.order(columns, 0) == Outcome.SCHEDULED ? 1 : 0;
    }
    return scheduled;
  }
}
