package io.weir.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.window.HoppingPlan;
import io.weir.internal.window.RollupPlan;
import io.weir.internal.window.StatisticsPlan;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.reading.Columns;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What no state is made of: entries that are damaged, missing, newer, or of other settings. */
class RefusedStateTest extends PartitionStateFixture {
  @Test
  void otherWindowSize_refusedWithTheWaysOut() {
    PartitionState state = new PartitionState(spec(10, 0), GATEWAYS, LIMITS);
    apply(state, new Columns().row("a", 1, 1));
    state.flush(log);
    assertThatThrownBy(() -> readBack(spec(20, 0)))
        .isInstanceOf(StateMismatchException.class)
        .hasMessageContaining("weir.window.size")
        .hasMessageContaining("20ms")
        .hasMessageContaining("10ms")
        .hasMessageContaining("weir.application.id")
        .hasMessageContaining("Reset");
  }

  /** Any byte of an entry with every part may be lost or changed: it is read, or refused. */
  @Test
  void damagedStatistics_areReadOrRefused_neverAnythingElse() {
    WindowSpec more = spec(10, 0).with(StatisticsPlan.ofAll(List.of(StatisticSet.values())));
    PartitionState state = new PartitionState(more, GATEWAYS, LIMITS);
    apply(state, new Columns().row("a", 1, 1e300).row("a", 2, 1e-300).row("a", 3, -7));
    state.flush(log);
    byte[] whole = log.value("Sa");
    for (int i = 0; i < whole.length; i++) {
      for (int value = -1; value < 256; value++) {
        byte[] damaged = value < 0 ? Arrays.copyOf(whole, i) : whole.clone();
        if (value >= 0) {
          damaged[i] = (byte) value;
        }
        PartitionState other = new PartitionState(more, GATEWAYS, LIMITS);
        try {
          other.restore(new byte[] {'S', 'a'}, damaged);
        } catch (StateMismatchException refused) {
          assertThat(refused).hasMessageNotContaining("null");
        }
      }
    }
  }

  /** Any byte of a record of changes may be lost or changed: it is read, or refused. */
  @Test
  void damagedChanges_areReadOrRefused_neverAnythingElse() {
    WindowSpec spec = spec(10, 1_000);
    PartitionState state = new PartitionState(spec, GATEWAYS, LIMITS);
    apply(state, new Columns().row("a", 1, 1.5).row("b", 1, 1).row("c", 1, 1));
    state.gateways().apply("g", 5, 1, 100);
    state.gateways().apply("h", 9, 1, 100);
    state.flush(log);
    apply(state, new Columns().row("a", 12, 2.25).row("b", 2, Math.PI).row("b", 3, 1e300));
    state.gateways().apply("g", 5, 2, 200);
    state.gateways().apply("g", 5, 3, 200);
    state.gateways().apply("h", 9, 70, 200);
    state.gateways().apply("h", 10, 1, 200);
    state.windows().upkeep(state.time(), 10, emissions);
    state.flush(log);
    byte[] key = slot(2);
    byte[] whole = log.value(key);
    assertThat(whole.length).isGreaterThan(30);
    for (int i = 0; i < whole.length; i++) {
      for (int value = -1; value < 256; value++) {
        byte[] damaged = value < 0 ? Arrays.copyOf(whole, i) : whole.clone();
        if (value >= 0) {
          damaged[i] = (byte) value;
        }
        try {
          PartitionState other = new PartitionState(spec, GATEWAYS, LIMITS);
          log.replay(0, other);
          other.restore(key, damaged);
          other.resume();
        } catch (StateMismatchException refused) {
          assertThat(refused).hasMessageNotContaining("null");
        }
      }
    }
  }

  /** Whatever is read first of a compacted changelog. */
  @Test
  void otherWindowSize_isRefusedAsSuch_byRecordsOfChangesToo() {
    PartitionState state = new PartitionState(spec(10, 0), GATEWAYS, LIMITS);
    for (int i = 1; i < 5; i++) {
      apply(state, new Columns().row("a", i, i));
      state.flush(log);
    }
    PartitionState other = new PartitionState(spec(20, 0), GATEWAYS, LIMITS);
    assertThatThrownBy(() -> log.compacted(true).replay(0, other))
        .isInstanceOf(StateMismatchException.class)
        .hasMessageContaining("weir.window.size");
  }

  /** A sensor that has been silent since does not show it. */
  @Test
  void lostChangesOfASilentSensor_areRefused() {
    PartitionState state = new PartitionState(spec(10, 0), GATEWAYS, LIMITS);
    for (String sensor : List.of("a", "a", "b", "b", "b")) {
      apply(state, new Columns().row(sensor, 1, 1));
      state.flush(log);
    }
    log.lose(slot(2));
    assertThatThrownBy(() -> readBack(spec(10, 0)))
        .isInstanceOf(StateMismatchException.class)
        .hasMessageContaining("missing");
  }

  /** Nothing is made up where a record of changes in the middle is gone. */
  @Test
  void lostChanges_areRefused() {
    PartitionState state = new PartitionState(spec(10, 0), GATEWAYS, LIMITS);
    for (int i = 1; i < 5; i++) {
      apply(state, new Columns().row("a", i, i));
      state.flush(log);
    }
    assertThat(readBack(spec(10, 0)).windows().sensors()).isEqualTo(1);
    log.lose(slot(3));
    assertThatThrownBy(() -> readBack(spec(10, 0)))
        .isInstanceOf(StateMismatchException.class)
        .hasMessageContaining("missing");
  }

  /** Builds before the first release wrote 1 to 5; whatever entry is read first, it says so. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "M",
        "N",
        "L",
        "Sa",
        "Aa",
        "Gg",
        "Cg",
        "D\0\0\0\1",
        "W\0\0\0\0\0\0\0\012a",
        "V\0\0\0\0\0\0\0\012\0\0\0\0a",
        "P\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0t",
        "U\0\0\0\0t"
      })
  void otherFormat_refusedByItsNumber(String key) {
    byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
    for (int format : new int[] {1, 2, 3, 4, 5, StateFormat.NUMBER + 1}) {
      PartitionState state = new PartitionState(spec(10, 0), GATEWAYS, LIMITS);
      byte[] value = {(byte) format, 1, 1, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
      assertThatThrownBy(() -> state.restore(keyBytes, value))
          .isInstanceOf(StateMismatchException.class)
          .hasMessage(
              "the state is of format "
                  + format
                  + ", and this version reads format "
                  + StateFormat.NUMBER
                  + ": use the version that wrote it, or start under another application id, which"
                  + " reads the topic from its beginning (docs/operate/runbook.md, Reset)");
    }
  }

  /** Bytes that change need another format. */
  @Test
  void entriesOfThisFormat_areTheseBytes() {
    WindowSpec all =
        spec(10, 0)
            .with(StatisticsPlan.ofAll(List.of(StatisticSet.COUNTER)))
            .with(RollupPlan.of(10, List.of(30L)))
            .with(HoppingPlan.of(10, 20, List.of()));
    PartitionState state = new PartitionState(all, GATEWAYS, LIMITS);
    apply(state, new Columns().row("a", 1, 1.5).row("a", 12, -2));
    state.gateways().apply("g", 5, 1, 100);
    state.flush(log);
    apply(state, new Columns().row("a", 25, 0.5).row("a", 26, 0.1));
    state.gateways().apply("g", 5, 2, 200);
    state.flush(log);
    assertThat(log.toString())
        .isEqualTo(
            """
            5361 0a0101c8013baf01af018b01148b0101b30112000000003004010000000000000000c000000000000000c000000000000000c021011800000000000000c00000000000000000c00101
            56000000000000000a0000000061 0a011800000000000000c0
            52000000000000001e000000000000000061 0a04000036040100000000000000f83f000000000000f83f000000000000f83f210202000000000000f83f00000000000000f83f00010000010000
            48000000000000000061 0a36040100000000000000f83f000000000000f83f000000000000f83f210202000000000000f83f00000000000000f83f00010000010000
            4767 0a010164000001050000000000000000010001
            4400000001 0a0180010a00000000000000000000000000000000
            4f 01
            4d 0a14c801c801100000000000000000000000000000000000010000000000000000010007001e
            56000000000000000a0000000061 -
            48000000000000000061 -
            5600000000000000140000000061 0a0232000000000000e03f029a9999999999b93f
            52000000000000001e000000000000000061 0a04000046040200000000000000e0bf00000000000000c0000000000000f83f210202000000000000f83f1600000000000000c07f091080000000000000007f09fe000000000000000001
            48000000000000000a61 0a3604010000000000000000c000000000000000c000000000000000c021021800000000000000c00000000000000000c000010000010000
            4400000002 0a0280010ac80100010001010101010204030500390802013b00930100081408010f03120000000038050200333333333333e33f000000000000803c9a9999999999b93f000000000000e03f210132000000000000e03f029a9999999999b93f020201900301000001
            4d 0a14c801c801100000000000000000000000000000000000010000000000000000010007001e
            """);
  }

  @Test
  void entryOfAnUnknownKind_refused() {
    PartitionState state = new PartitionState(spec(10, 0), GATEWAYS, LIMITS);
    assertThatThrownBy(() -> state.restore(new byte[] {'X'}, new byte[] {1}))
        .isInstanceOf(StateMismatchException.class)
        .hasMessageContaining("newer");
  }

  @Test
  void damagedEntry_refused() {
    PartitionState state = new PartitionState(spec(10, 0), GATEWAYS, LIMITS);
    assertThatThrownBy(
            () -> state.restore(new byte[] {'S', 'a'}, new byte[] {StateFormat.NUMBER, 2}))
        .isInstanceOf(StateMismatchException.class)
        .hasMessageContaining("damaged");
  }
}
