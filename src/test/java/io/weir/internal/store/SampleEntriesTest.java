package io.weir.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.window.Emissions;
import io.weir.internal.window.StatisticsPlan;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.window.WindowSpec.IdleRule;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.reading.Columns;
import io.weir.reading.GatewayRules;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class SampleEntriesTest {
  private static final WindowSpec WINDOWS =
      WindowSpec.of(1_000, 0, 0, 30_000, IdleRule.ENDED, 1L << 50);
  private static final WindowSpec COUNTERS = WINDOWS.with(counters(1_000));

  private final Changelog log = new Changelog();
  private final Emissions emissions = new Emissions();

  private static StatisticsPlan counters(int mostSamples) {
    return StatisticsPlan.ofAll(Set.of(StatisticSet.COUNTER)).withMostSamples(mostSamples);
  }

  private static PartitionState state(WindowSpec spec) {
    return new PartitionState(spec, GatewayRules.of(300_000), WindowLimits.ofSensors(1_000));
  }

  private PartitionState readBack(WindowSpec spec) {
    PartitionState state = state(spec);
    log.replay(0, state);
    state.resume();
    return state;
  }

  private void apply(PartitionState state, Columns batch) {
    state.observe(100, 7, Uuid.ZERO_UUID);
    state.windows().apply(batch.build(), 100, emissions);
  }

  /** Readings of one sensor in its first window, each 1 above the one before. */
  private static Columns rising(int from, int to) {
    Columns batch = new Columns();
    for (int i = from; i < to; i++) {
      batch.row("a", 1 + i, i);
    }
    return batch;
  }

  private long chunks() {
    return log.keys().stream().filter(key -> key.startsWith("V")).count();
  }

  private String emitted() {
    return emissions.take().stream()
        .map(line -> line.contains("increase") ? line.substring(line.indexOf("increase")) : "none")
        .collect(Collectors.joining());
  }

  @Test
  void commit_writesTheChunkAtTheEnd_andNoneThatIsFull() {
    PartitionState state = state(COUNTERS);
    apply(state, rising(0, 600));
    state.flush(log);
    assertThat(chunks()).isEqualTo(3);
    int before = log.size();
    apply(state, rising(600, 610));
    state.flush(log);
    // The partition's time, the sensor, and the third chunk.
    assertThat(log.size() - before).isEqualTo(3);
    assertThat(chunks()).isEqualTo(3);
    state.flush(log);
    assertThat(log.size() - before).isEqualTo(3);
  }

  @Test
  void readBack_goesOnWithAllSamples_andEvictionDeletesThem() {
    PartitionState state = state(COUNTERS);
    apply(state, rising(0, 600));
    state.flush(log);
    state = readBack(COUNTERS);
    apply(state, rising(600, 610));
    state.flush(log);
    state = readBack(COUNTERS);
    apply(state, new Columns().row("a", 1_500, 3));
    assertThat(emitted()).isEqualTo("increase609.0 resets0");
    state.flush(log);
    assertThat(chunks()).isEqualTo(1);
  }

  @Test
  void tooManySamples_areDeleted_andStaySoAfterTheyWereReadBack() {
    WindowSpec few = WINDOWS.with(counters(600));
    PartitionState state = state(few);
    apply(state, rising(0, 600));
    state.flush(log);
    assertThat(chunks()).isEqualTo(3);
    apply(state, rising(600, 601));
    state.flush(log);
    assertThat(chunks()).isZero();
    state = readBack(COUNTERS);
    apply(state, rising(601, 602).row("a", 1_500, 3));
    assertThat(emitted()).isEqualTo("none");
  }

  @Test
  void limitThatIsLowered_actsOnTheNextReading() {
    PartitionState state = state(COUNTERS);
    apply(state, rising(0, 600));
    state.flush(log);
    state = readBack(WINDOWS.with(counters(500)));
    apply(state, rising(600, 601));
    state.flush(log);
    assertThat(chunks()).isZero();
  }

  @Test
  void setSwitchedOff_itsOpenWindowGoesOnWithIt() {
    PartitionState state = state(COUNTERS);
    apply(state, rising(0, 300));
    state.flush(log);
    state = readBack(WINDOWS);
    apply(state, rising(300, 301).row("a", 1_500, 3));
    assertThat(emitted()).isEqualTo("increase300.0 resets0");
    state.flush(log);
    assertThat(chunks()).isZero();
  }

  @Test
  void samplesThatAreMissing_areRefused() {
    PartitionState state = state(COUNTERS);
    apply(state, rising(0, 300));
    state.flush(log);
    for (int chunk = 0; chunk < 2; chunk++) {
      PartitionState other = state(COUNTERS);
      log.replay(0, other);
      other.restore(StateKey.samples(new byte[] {'a'}, 0, chunk), null);
      assertThatThrownBy(other::resume)
          .isInstanceOf(StateMismatchException.class)
          .hasMessageContaining("missing");
    }
    PartitionState none = state(COUNTERS);
    none.restore(StateKey.sensor(new byte[] {'a'}), log.value("Sa"));
    assertThatThrownBy(none::resume).isInstanceOf(StateMismatchException.class);
  }

  /** As a log that was compacted in part may have them: they are no damage. */
  @Test
  void samplesOfNoWindow_areLeftOut() {
    PartitionState state = state(COUNTERS);
    apply(state, rising(0, 300));
    state.flush(log);
    PartitionState other = state(COUNTERS);
    byte[] key = StateKey.samples(new byte[] {'b'}, 0, 0);
    log.replay(0, other);
    other.restore(key, log.value(StateKey.samples(new byte[] {'a'}, 0, 0)));
    other.resume();
    apply(other, new Columns().row("a", 1_500, 3));
    assertThat(emitted()).isEqualTo("increase299.0 resets0");
  }

  /** Any byte of a chunk may be lost or changed: it is read, or refused. */
  @Test
  void damagedChunk_isReadOrRefused_neverAnythingElse() {
    PartitionState state = state(COUNTERS);
    apply(state, rising(0, 3));
    state.flush(log);
    byte[] key = StateKey.samples(new byte[] {'a'}, 0, 0);
    byte[] whole = log.value(key);
    for (int i = 0; i < whole.length; i++) {
      for (int value = -1; value < 256; value++) {
        byte[] damaged = value < 0 ? Arrays.copyOf(whole, i) : whole.clone();
        if (value >= 0) {
          damaged[i] = (byte) value;
        }
        assertReadOrRefused(key, damaged);
      }
    }
    assertReadOrRefused(StateKey.samples(new byte[] {'a'}, 0, Integer.MAX_VALUE), whole);
    assertReadOrRefused(StateKey.samples(new byte[] {'a'}, 0, -1), whole);
  }

  private static void assertReadOrRefused(byte[] key, byte[] value) {
    PartitionState other = state(COUNTERS);
    try {
      other.restore(key, value);
    } catch (StateMismatchException refused) {
      assertThat(refused).hasMessageNotContaining("null");
    }
  }

  /** Of several sensors and windows, each finds its own. */
  @Test
  void windowsOfSeveralSensors_findTheirOwnSamples() {
    PartitionState state = state(WINDOWS.with(counters(1_000)));
    Columns batch = new Columns();
    for (String sensor : List.of("a", "b", "ab")) {
      for (int i = 0; i < 3; i++) {
        batch.row(sensor, 1 + i, i * sensor.length() * sensor.charAt(0));
      }
    }
    apply(state, batch);
    state.flush(log);
    apply(readBack(COUNTERS), new Columns().row("ab", 1_000, 0).row("b", 1_000, 0));
    assertThat(emitted()).isEqualTo("increase388.0 resets0increase196.0 resets0");
  }
}
