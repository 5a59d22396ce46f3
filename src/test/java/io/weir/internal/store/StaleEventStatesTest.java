package io.weir.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.event.Decoded;
import io.weir.internal.event.TimerLimits;
import io.weir.internal.group.GroupSpec;
import io.weir.internal.group.GroupTotal;
import io.weir.internal.group.GroupWindow.Name;
import io.weir.internal.group.Groups;
import io.weir.internal.group.SensorPart;
import io.weir.internal.wire.EventBatchEncoder;
import io.weir.reading.GatewayRules;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/** A replica of a changelog of weir events that was away for longer than delete.retention.ms. */
class StaleEventStatesTest {
  private static final GatewayRules GATEWAYS = new GatewayRules(1_000, 1_000, 1_000, 100);

  private final Changelog log = new Changelog();
  private final List<String> emitted = new ArrayList<>();
  private final Groups.Sink sink =
      new Groups.Sink() {
        @Override
        public void emit(Name window, GroupTotal total, int revision) {
          emitted.add(window.group() + " r" + revision + " n" + total.count());
        }

        @Override
        public void dropped(Name window, boolean early) {}
      };

  private static SensorPart part(long count) {
    return new SensorPart(count, 0, count, new double[0], 1, 1);
  }

  @Test
  void windowOfAGroupThatAReplicaBringsBack_isNotEmittedAgainWithLess() {
    GroupSpec spec = new GroupSpec(50, 200, 500, 1L << 40, 3, 1 << 20);
    GroupState state = new GroupState(spec, GATEWAYS);
    Name name = new Name("line", 0, 100);
    state.observe(1_000, 0, Uuid.ZERO_UUID);
    state.groups().put(name, "s", part(1), 1_000, sink);
    state.flush(log);
    Changelog kept = new Changelog();
    log.repeat('w', kept);
    log.repeat('p', kept);
    state.observe(1_010, 1, Uuid.ZERO_UUID);
    state.groups().put(name, "s", part(2), 1_010, sink);
    for (int i = 2; i < 12; i++) {
      state.observe(1_000 + i * 100, i, Uuid.ZERO_UUID);
      state.groups().doDue(1_000 + i * 100, 100, sink);
    }
    state.flush(log);
    assertThat(emitted).containsExactly("line r0 n2");
    assertThat(state.groups().size()).isZero();

    GroupState next = new GroupState(spec, GATEWAYS);
    kept.replay(0, next);
    log.compacted(false).replay(0, next);
    next.resume();
    next.observe(2_300, 12, Uuid.ZERO_UUID);
    next.groups().doDue(2_300, 100, sink);
    assertThat(emitted).containsExactly("line r0 n2");
  }

  @Test
  void windowThatIsOverdueByAShorterKeepAtTheNextStart_isEmitted() {
    Name name = new Name("line", 0, 100);
    GroupState state = new GroupState(new GroupSpec(400, 400, 500, 1L << 40, 3, 1 << 20), GATEWAYS);
    state.observe(1_000, 0, Uuid.ZERO_UUID);
    state.groups().put(name, "s", part(1), 1_000, sink);
    state.observe(1_300, 1, Uuid.ZERO_UUID);
    state.groups().doDue(1_300, 100, sink);
    state.flush(log);

    GroupState next = new GroupState(new GroupSpec(50, 50, 100, 1L << 40, 3, 1 << 20), GATEWAYS);
    log.compacted(false).replay(0, next);
    next.resume();
    next.observe(1_301, 2, Uuid.ZERO_UUID);
    next.groups().doDue(1_301, 100, sink);
    assertThat(emitted).containsExactly("line r0 n1");
  }

  @Test
  void timerThatAReplicaBringsBack_doesNotFireAgain() throws Exception {
    TimerLimits limits = new TimerLimits(100, 100, 10_000, 20_000);
    TimerState state = new TimerState(limits, GATEWAYS, 60_000);
    state.resume();
    state.observe(1_000, 0, Uuid.ZERO_UUID);
    EventBatch batch =
        EventBatch.newBuilder()
            .addEvents(Event.newBuilder().setKey("k").setId("1").setDueMs(2_000))
            .build();
    state.timers().order(new Decoded().of(batch), 0);
    state.flush(log);
    Changelog kept = new Changelog();
    log.repeat('T', kept);
    state.observe(3_000, 1, Uuid.ZERO_UUID);
    assertThat(fired(state)).hasSize(1);
    state.flush(log);
    state.observe(3_001, 2, Uuid.ZERO_UUID);
    state.flush(log);

    TimerState next = new TimerState(limits, GATEWAYS, 60_000);
    kept.replay(0, next);
    log.compacted(false).replay(0, next);
    next.resume();
    next.observe(3_002, 3, Uuid.ZERO_UUID);
    assertThat(fired(next)).isEmpty();
  }

  private static List<Event> fired(TimerState state) throws Exception {
    EventBatchEncoder encoder = new EventBatchEncoder();
    state.timers().fire(state.position().time().appendMs(), 100, encoder::add, timer -> {});
    return EventBatch.parseFrom(encoder.take()).getEventsList();
  }
}
