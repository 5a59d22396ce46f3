package io.weir.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.event.LiveKey;
import io.weir.internal.event.TimerLimits;
import io.weir.internal.group.GroupSpec;
import io.weir.internal.group.GroupTotal;
import io.weir.internal.group.GroupWindow.Name;
import io.weir.internal.group.Groups;
import io.weir.internal.group.SensorPart;
import io.weir.reading.GatewayRules;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/**
 * What happens at one log time is in an order that a restart does not change: where a record does a
 * part of it only, it does the same part.
 */
class RestartOrderTest {
  private static final GatewayRules GATEWAYS = new GatewayRules(1_000, 1_000, 1_000, 100);

  private static final Groups.Sink NOWHERE =
      new Groups.Sink() {
        @Override
        public void emit(Name window, GroupTotal total, int revision) {}

        @Override
        public void dropped(Name window, boolean early) {}
      };

  private static <S extends InputState> S restarted(S before, S after) {
    before.observe(1_000, 0, Uuid.ZERO_UUID);
    Map<ByteBuffer, byte[]> changelog = new LinkedHashMap<>();
    before.flush((key, value) -> changelog.put(ByteBuffer.wrap(key), value));
    changelog.forEach((key, value) -> after.restore(key.array(), value));
    after.resume();
    return after;
  }

  @Test
  void keysIdleAtOneTime_endInTheOrderThatARestartGives() {
    KeyedState state = keyed();
    state.keys().touch(key(state, "d"), 10);
    for (String name : List.of("c", "a", "e", "b")) {
      state.keys().touch(key(state, name), 20);
    }
    state.keys().touch(key(state, "0"), 30);
    KeyedState restarted = restarted(state, keyed());

    List<String> expected = List.of("d", "a", "b", "c", "e", "0");
    assertThat(idle(restarted)).isEqualTo(expected);
    assertThat(idle(state)).isEqualTo(expected);
  }

  private static KeyedState keyed() {
    return new KeyedState(1_000, new TimerLimits(100, 100, 10_000, 10_000), GATEWAYS);
  }

  private static LiveKey key(KeyedState state, String name) {
    LiveKey key = state.keys().add(name.getBytes(StandardCharsets.UTF_8), 7);
    state.keys().start(key, 5);
    return key;
  }

  /** Those that are idle at a time, one after the other. */
  private static List<String> idle(KeyedState state) {
    List<String> ended = new ArrayList<>();
    for (LiveKey key = state.keys().idle(2_000); key != null; key = state.keys().idle(2_000)) {
      state.keys().end(key, 2_000);
      ended.add(new String(key.key(), StandardCharsets.UTF_8));
    }
    return ended;
  }

  @Test
  void groupsDroppedAtOneTime_areForgottenInTheOrderThatARestartGives() {
    GroupState state = new GroupState(spec(), GATEWAYS);
    put(state, "b", 0);
    put(state, "a", 10);
    state.groups().doDue(1_000, 100, NOWHERE);
    GroupState restarted = restarted(state, new GroupState(spec(), GATEWAYS));

    for (GroupState each : List.of(state, restarted)) {
      put(each, "c", 1_000);
      each.groups().doDue(2_000, 100, NOWHERE);
      assertThat(each.groups().marks().size()).isEqualTo(2);
      assertThat(put(each, "b", 2_000)).isEqualTo(Groups.Outcome.WINDOW_DROPPED);
      assertThat(put(each, "a", 2_000)).isEqualTo(Groups.Outcome.TAKEN);
    }
  }

  /** There is room for the marks of two groups. */
  private static GroupSpec spec() {
    return new GroupSpec(50, 50, 100, 1L << 40, 3, 4_000);
  }

  private static Groups.Outcome put(GroupState state, String group, long logMs) {
    SensorPart part = new SensorPart(1, 0, 1, new double[0], 1, 1);
    return state.groups().put(new Name(group, 0, 100), group, part, logMs, NOWHERE);
  }
}
