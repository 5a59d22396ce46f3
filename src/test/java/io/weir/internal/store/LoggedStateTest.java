package io.weir.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.event.FoldSpec;
import io.weir.internal.event.LiveKey;
import io.weir.internal.event.TimerLimits;
import io.weir.internal.group.GroupSpec;
import io.weir.reading.GatewayRules;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/** What states of events write, and when. */
class LoggedStateTest {
  private static final GatewayRules GATEWAYS = GatewayRules.of(60_000);
  private static final Uuid TOPIC = new Uuid(7, 7);

  private final Map<ByteBuffer, byte[]> changelog = new HashMap<>();

  private void change(byte[] key, byte[] value) {
    if (value == null) {
      changelog.remove(ByteBuffer.wrap(key));
    } else {
      changelog.put(ByteBuffer.wrap(key), value);
    }
  }

  private static List<LoggedState> states() {
    return List.of(
        timers(),
        keyed(),
        new FoldState(FoldSpec.DEFAULT, GATEWAYS),
        new GroupState(new GroupSpec(50, 100, 1_000, 1L << 40, 3, 1 << 20), GATEWAYS),
        new GroupPartState(60_000, "{1}"));
  }

  private static TimerState timers() {
    return new TimerState(TimerLimits.DEFAULT, GATEWAYS, 60_000);
  }

  private static KeyedState keyed() {
    return new KeyedState(60_000, TimerLimits.DEFAULT, GATEWAYS);
  }

  @Test
  void noRecordYet_nothingIsWritten() {
    for (LoggedState state : states()) {
      state.resume();
      state.flush(this::change);
      assertThat(changelog).as(state.getClass().getName()).isEmpty();
    }
  }

  @Test
  void oneRecord_theStateIsWrittenOnce() {
    for (LoggedState state : states()) {
      changelog.clear();
      state.observe(1_000, 4, TOPIC);
      state.flush(this::change);
      assertThat(changelog).as(state.getClass().getName()).hasSize(1);
      changelog.clear();
      state.flush(this::change);
      assertThat(changelog).as(state.getClass().getName()).isEmpty();
    }
  }

  /** As builds before the first release wrote it: each state has this entry. */
  @Test
  void otherFormat_isRefusedByItsNumber() {
    for (LoggedState state : states()) {
      changelog.clear();
      state.observe(1_000, 4, TOPIC);
      state.flush(this::change);
      byte[] value = changelog.get(ByteBuffer.wrap(StateKey.meta()));
      for (byte format : new byte[] {1, 2, 3, 4, 5, StateFormat.NUMBER + 1}) {
        value[0] = format;
        assertThatThrownBy(() -> state.restore(StateKey.meta(), value))
            .as(state.getClass().getName())
            .isInstanceOf(StateMismatchException.class)
            .hasMessageStartingWith("the state is of format " + format + ", and this version");
      }
    }
  }

  @Test
  void newestTime_isKept_whereTheClockWentBack() {
    KeyedState before = keyed();
    before.observe(1_000, 4, TOPIC);
    before.observe(400, 5, TOPIC);
    before.flush(this::change);
    KeyedState after = keyed();
    changelog.forEach((entry, value) -> after.restore(entry.array(), value));
    after.resume();
    assertThat(after.position().time().latestMs()).isEqualTo(1_000);
    after.observe(1_000, 6, TOPIC);
    after.flush(this::change);
    assertThat(changelog).hasSize(1);
  }

  /** It would be in a transaction without offsets; it waits for the next record's. */
  @Test
  void aChangeWithoutARecord_isWrittenWithTheNextRecord() {
    TimerState state = timers();
    byte[] name = bytes("k\0id");
    state.timers().schedule(name, 7, bytes("event"), 5_000, 0, true);
    state.flush(this::change);
    assertThat(changelog).isEmpty();
    state.observe(1_000, 4, TOPIC);
    state.flush(this::change);
    assertThat(changelog).hasSize(2);
  }

  @Test
  void restored_andNoRecordYet_nothingIsWritten() {
    KeyedState before = keyed();
    before.observe(1_000, 4, TOPIC);
    LiveKey key = before.keys().add(bytes("k"), 7);
    before.keys().start(key, 1_000);
    before.keys().touch(key, 1_000);
    before.flush(this::change);
    KeyedState after = keyed();
    changelog.forEach((entry, value) -> after.restore(entry.array(), value));
    after.resume();
    List<byte[]> written = new ArrayList<>();
    after.flush((entry, value) -> written.add(entry));
    assertThat(written).isEmpty();
    assertThat(after.position().nextOffset()).isEqualTo(5);
    assertThat(after.keys().size()).isEqualTo(1);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
