package io.weir.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.event.FoldSpec;
import io.weir.internal.event.TimerLimits;
import io.weir.internal.window.Emissions;
import io.weir.internal.window.RollupPlan;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.window.WindowSpec.IdleRule;
import io.weir.reading.Columns;
import io.weir.reading.GatewayRules;
import io.weir.reading.GatewaySequences;
import io.weir.reading.Gateways;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

/** Histories in which records of changes, entries and deletions meet. */
class ChangeRingTest {
  private static final GatewayRules GATEWAYS = GatewayRules.of(300_000);

  private final Changelog log = new Changelog();
  private final Emissions emissions = new Emissions();
  private final WindowSpec spec = WindowSpec.of(10, 0, 1_000, 30_000, IdleRule.ENDED, 1L << 50);
  private long offset;

  private PartitionState state(WindowSpec of) {
    return new PartitionState(of, GATEWAYS, WindowLimits.ofSensors(1_000));
  }

  private void observe(PartitionState state) {
    state.observe(100, offset++, Uuid.ZERO_UUID);
  }

  private void row(PartitionState state, Columns batch) {
    observe(state);
    state.windows().apply(batch.build(), 100, emissions);
  }

  private void others(PartitionState state, int commits) {
    for (int i = 0; i < commits; i++) {
      row(state, new Columns().row("other", 1, i));
      state.flush(log);
    }
  }

  /** Their states have no records of changes. */
  @Test
  void gatewaysOfEvents_areWrittenAndReadBack() {
    assertGatewayIsReadBack(
        () -> new TimerState(TimerLimits.DEFAULT, GATEWAYS, 60_000),
        state -> state.senders().gateways());
    assertGatewayIsReadBack(
        () -> new KeyedState(60_000, TimerLimits.DEFAULT, GATEWAYS),
        state -> state.senders().gateways());
    assertGatewayIsReadBack(
        () -> new FoldState(FoldSpec.DEFAULT, GATEWAYS), state -> state.senders().gateways());
  }

  private static <S extends LoggedState> void assertGatewayIsReadBack(
      Supplier<S> states, Function<S, Gateways> gateways) {
    Changelog entries = new Changelog();
    S written = states.get();
    written.observe(1_000, 4, Uuid.ZERO_UUID);
    gateways.apply(written).apply("g", 7, 3, 1);
    written.flush(entries);
    S read = states.get();
    entries.replay(0, read);
    GatewaySequences gateway = gateways.apply(read).get("g");
    assertThat(gateway.newestBootId()).isEqualTo(7);
    assertThat(gateway.newestHighest()).isEqualTo(3);
  }

  /** What is written whole as a record begins is not deleted behind it. */
  @Test
  void rollupsThatComeBack_areThere_whereTheirSensorNeededTheRecord() {
    WindowSpec small = WindowSpec.of(10, 0, 100, 30_000, IdleRule.ENDED, 1L << 50);
    WindowSpec before = small.with(RollupPlan.of(10, List.of(30L)));
    WindowSpec after = small.with(RollupPlan.of(10, List.of(30L, 300L)));
    PartitionState state = state(before);
    Columns both = new Columns();
    for (String sensor : List.of("s", "t")) {
      for (long time = 1; time < 110; time += 10) {
        both.row(sensor, time, 1);
      }
    }
    row(state, both);
    state.flush(log);
    row(state, new Columns().row("s", 145, 1));
    state.flush(log);
    row(state, new Columns().row("t", 145, 1));
    state.flush(log);
    others(state, ChangeRing.SLOTS - 2);
    PartitionState next = state(after);
    log.replay(0, next);
    next.resume();
    row(next, new Columns().row("s", 146, 1).row("t", 146, 1));
    next.flush(log);
    assertThat(rollups("s")).isNotEmpty().isEqualTo(rollups("t"));
  }

  private List<Long> rollups(String sensor) {
    byte[] id = sensor.getBytes(StandardCharsets.UTF_8);
    List<Long> starts = new ArrayList<>();
    for (long start = 0; start < 300; start += 30) {
      if (log.keys().contains(Bytes.wrap(StateKey.rollup(id, 30, start)).toString())) {
        starts.add(start);
      }
    }
    return starts;
  }

  /** Says that number whatever it is asked. */
  private static Random of(int number) {
    return new Random() {
      @Override
      public int nextInt(int bound) {
        return number;
      }
    };
  }

  /** Two members with one number, the older one of an entry that was deleted since. */
  @Test
  void numberThatAStaleEntryHasToo_compactedWhileRead() {
    PartitionState state = state(spec);
    observe(state);
    state.gateways().apply("b", 5, 1, 100);
    state.flush(log);
    observe(state);
    state.gateways().reset("b");
    state.flush(log);
    observe(state);
    state.gateways().apply("a", 5, 1, 100);
    state.flush(log);
    others(state, ChangeRing.SLOTS + 9);
    observe(state);
    state.gateways().apply("a", 5, 2, 100);
    state.flush(log);
    observe(state);
    state.gateways().apply("b", 6, 1, 100);
    state.flush(log);
    assertSame(state, log.compactedWhileRead(of(1)));
  }

  /** A gateway that was reset and is back is another one. */
  @Test
  void resetAndBack_whereItNeededTheRecord_compactedWhileRead() {
    PartitionState state = state(spec);
    observe(state);
    state.gateways().apply("b", 5, 1, 100);
    state.flush(log);
    observe(state);
    state.gateways().apply("b", 5, 2, 100);
    state.flush(log);
    others(state, ChangeRing.SLOTS - 1);
    int read = log.size() + 1;
    observe(state);
    state.gateways().reset("b");
    state.gateways().apply("b", 7, 5, 100);
    state.gateways().apply("b", 7, 10, 100);
    state.gateways().apply("a", 7, 10, 100);
    state.flush(log);
    observe(state);
    state.gateways().apply("a", 7, 5, 100);
    state.flush(log);
    observe(state);
    for (int i = 0; i < 20; i++) {
      state.gateways().apply("a", 8, 2 + 2 * i, 100);
      state.gateways().apply("b", 8, 2 + 2 * i, 100);
    }
    state.flush(log);
    assertSame(state, log.compactedWhileRead(of(read)));
  }

  private void assertSame(PartitionState state, Changelog view) {
    PartitionState back = state(spec);
    view.replay(0, back);
    back.resume();
    for (String id : List.of("a", "b")) {
      assertThat(StateDump.gateway(back, id)).isEqualTo(StateDump.gateway(state, id));
    }
  }

  /** A later version that writes more in a change has another format; this one guesses nothing. */
  @Test
  void windowsKindThatIsUnknown_isRefused() {
    PartitionState state = state(spec);
    others(state, 2);
    byte[][] last = new byte[2][];
    row(state, new Columns().row("other", 1, 1).row("other", 2, 2));
    state.flush(
        (key, value) -> {
          if (key[0] == 'D') {
            last[0] = key;
            last[1] = value;
          } else {
            log.put(key, value);
          }
        });
    List<String> refused = new ArrayList<>();
    for (int i = 0; i < last[1].length; i++) {
      PartitionState back = state(spec);
      byte[] damaged = last[1].clone();
      damaged[i] = (byte) (ChangeRecord.MOST_KIND + 1);
      log.replay(0, back);
      try {
        back.restore(last[0], damaged);
      } catch (StateMismatchException e) {
        refused.add(e.getMessage());
      }
    }
    assertThat(refused).anyMatch(message -> message.contains("a window is written as 11"));
  }

  /** Any byte of a gateway's entry may be lost or changed: it is read, or refused. */
  @Test
  void damagedGateway_isReadOrRefused_neverAnythingElse() {
    PartitionState state = state(spec);
    observe(state);
    for (long sequence : List.of(1L, 2L, 7L)) {
      state.gateways().apply("g", 5, sequence, 100);
      state.gateways().apply("g", 6, sequence, 100);
    }
    state.flush(log);
    byte[] whole = log.value("Gg");
    for (int i = 0; i < whole.length; i++) {
      for (int value = -1; value < 256; value++) {
        byte[] damaged = value < 0 ? Arrays.copyOf(whole, i) : whole.clone();
        if (value >= 0) {
          damaged[i] = (byte) value;
        }
        try {
          state(spec).restore(StateKey.gateway("g"), damaged);
        } catch (StateMismatchException refused) {
          assertThat(refused).hasMessageNotContaining("null");
        }
      }
    }
  }
}
