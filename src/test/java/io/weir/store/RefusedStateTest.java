package io.weir.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.CodedOutputStream;
import io.weir.reading.Columns;
import io.weir.window.StatisticsPlan;
import io.weir.window.WindowSpec;
import io.weir.window.aggregate.StatisticSet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
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
        .hasMessageContaining("reset");
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

  @ParameterizedTest
  @ValueSource(strings = {"M", "Sa", "W\0\0\0\0\0\0\0\012a", "Gg"})
  void newerFormat_refusedAsSuch(String key) throws IOException {
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(value);
    out.writeUInt32NoTag(9);
    out.writeSInt64NoTag(10);
    out.flush();
    PartitionState state = new PartitionState(spec(10, 0), GATEWAYS, LIMITS);
    byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> state.restore(keyBytes, value.toByteArray()))
        .isInstanceOf(StateMismatchException.class)
        .hasMessageContaining("format 9")
        .hasMessageContaining("knows ");
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
    assertThatThrownBy(() -> state.restore(new byte[] {'S', 'a'}, new byte[] {1, 2}))
        .isInstanceOf(StateMismatchException.class)
        .hasMessageContaining("damaged");
  }
}
