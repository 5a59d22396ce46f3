package io.weir.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.CodedOutputStream;
import io.weir.alarm.GroupTemplate;
import io.weir.alarm.Rules;
import io.weir.alarm.RulesFile;
import io.weir.alarm.StatusPlan;
import io.weir.reading.Columns;
import io.weir.reading.GatewayRules;
import io.weir.reading.IdBytes;
import io.weir.window.Emissions;
import io.weir.window.StatisticsPlan;
import io.weir.window.Window;
import io.weir.window.WindowLimits;
import io.weir.window.WindowSpec;
import io.weir.window.WindowSpec.IdleRule;
import io.weir.window.aggregate.StatisticSet;
import io.weir.window.durable.WindowChanges;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionStateTest {
  private static final long FOR_EVER_MS = 1L << 50;
  private static final GatewayRules GATEWAYS = GatewayRules.of(300_000);
  private static final WindowLimits LIMITS = WindowLimits.ofSensors(1_000);

  private final Changelog log = new Changelog();
  private final Emissions emissions = new Emissions();

  private static WindowSpec spec(long sizeMs, long latenessMs) {
    return WindowSpec.of(sizeMs, 0, latenessMs, 30_000, IdleRule.ENDED, FOR_EVER_MS);
  }

  private int apply(PartitionState state, Columns batch) {
    state.observe(100, 7, Uuid.ZERO_UUID);
    return state.windows().apply(batch.build(), 100, emissions);
  }

  /** The key of a record of changes. */
  private static byte[] slot(int record) {
    return StateKey.changes(record);
  }

  private PartitionState readBack(WindowSpec spec) {
    PartitionState state = new PartitionState(spec, GATEWAYS, LIMITS);
    log.replay(0, state);
    state.resume();
    return state;
  }

  /**
   * What is written without a record is in a transaction without offsets: that is not committed, or
   * is in the changelog of a partition of which nothing was read, and no start goes on from it.
   */
  @Test
  void alarmsOn_andNoRecordYet_nothingIsWritten() {
    Rules rules =
        RulesFile.parse(
            "rules.yaml", "rules: [{name: hot, sensors: '*', high: 5, priority: 1}]", 10);
    StatusPlan plan = new StatusPlan(true, 1_000, rules, 10, GroupTemplate.DEFAULT);
    PartitionState state = new PartitionState(spec(10, 0), GATEWAYS, LIMITS, plan);
    state.flush(log);
    assertThat(log.size()).isZero();
    apply(state, new Columns().row("a", 1, 1));
    state.flush(log);
    assertThat(log.keys()).contains("M", "T");
  }

  @Test
  void nothingChanged_nothingIsWritten() {
    PartitionState state = new PartitionState(spec(10, 0), GATEWAYS, LIMITS);
    state.flush(log);
    assertThat(log.size()).isZero();
    apply(state, new Columns().row("a", 1, 1));
    state.flush(log);
    assertThat(log.keys()).containsExactlyInAnyOrder("M", "Sa", "O", "D\\x00\\x00\\x00\\x01");
    int before = log.size();
    state.flush(log);
    assertThat(log.size()).isEqualTo(before);
  }

  @Test
  void readBack_nothingIsWrittenAgain() {
    PartitionState state = new PartitionState(spec(10, 0), GATEWAYS, LIMITS);
    apply(state, new Columns().row("a", 1, 1));
    state.flush(log);
    int before = log.size();
    readBack(spec(10, 0)).flush(log);
    assertThat(log.size()).isEqualTo(before);
  }

  @Test
  void manyWindowsOfASensor_noEntryGrows_andACommitWritesWhatChanged() {
    PartitionState state = new PartitionState(spec(10, FOR_EVER_MS), GATEWAYS, LIMITS);
    Columns many = new Columns();
    for (int i = 0; i < 10_000; i++) {
      many.row("a", 10L * i + 1, 0.1);
    }
    apply(state, many);
    state.flush(log);
    assertThat(log.longestValue()).isLessThan(400);
    int before = log.size();
    apply(state, new Columns().row("a", 55, 1).row("a", 99_995, 1));
    state.flush(log);
    assertThat(log.size() - before).isEqualTo(3);
    emissions.take();
    apply(readBack(spec(10, FOR_EVER_MS)), new Columns().row("a", 56, 2));
    assertThat(emissions.brief()).containsExactly("a@50 AMENDED r2 n3 bad0 sum3.1");
  }

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

  @Test
  void otherGraceAndLateness_goOn() {
    PartitionState state = new PartitionState(spec(10, 20), GATEWAYS, LIMITS);
    apply(state, new Columns().row("a", 5, 1).row("a", 15, 1).row("a", 45, 1));
    state.flush(log);
    assertThat(apply(readBack(spec(10, 1000)), new Columns().row("a", 14, 1).row("a", 25, 1)))
        .isEqualTo(1);
  }

  /** A window that is open when a set is switched on goes on without it, and the next has it. */
  @Test
  void setSwitchedOn_actsFromNewWindowsOn_andSwitchedOffLikewise() {
    WindowSpec plain = spec(10, 1_000);
    WindowSpec more = plain.with(StatisticsPlan.ofAll(List.of(StatisticSet.values())));
    PartitionState state = new PartitionState(plain, GATEWAYS, LIMITS);
    apply(state, new Columns().row("a", 1, 1));
    state.flush(log);

    state = readBack(more);
    apply(state, new Columns().row("a", 2, 2).row("a", 11, 3));
    state.flush(log);
    assertThat(window(state, 0).statistics()).isNull();
    assertThat(window(state, 1).statistics()).isNotNull();

    state = readBack(plain);
    apply(state, new Columns().row("a", 12, 4).row("a", 25, 5));
    assertThat(window(state, 1).statistics().lastTimestampMs()).isEqualTo(12);
    assertThat(window(state, 1).m2()).isEqualTo(0.5);
    assertThat(window(state, 2).statistics()).isNull();
  }

  private static Window window(PartitionState state, int index) {
    byte[] id = {'a'};
    return state.windows().restored(id, 0, 1, IdBytes.hash(id, 0, 1)).window(index);
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

  /** More than the ring holds: what the first records held is in sensors' own entries again. */
  @Test
  void commitOfMoreRecordsThanTheRingHas_isReadBack() {
    PartitionState state =
        new PartitionState(spec(10, 10_000), GATEWAYS, WindowLimits.ofSensors(30_000));
    for (int commit = 0; commit < 2; commit++) {
      Columns batch = new Columns();
      for (int sensor = 0; sensor < 27_000; sensor++) {
        for (int i = 0; i < 36; i++) {
          double value = Math.pow(10, 150 - 150 * (i % 3)) * (sensor + commit + 1);
          batch.row("s" + sensor, 1_000L * commit + 10L * (i / 9) + 1, value);
        }
      }
      apply(state, batch);
      int before = log.records('D');
      state.flush(log);
      assertThat(log.longestValue()).isLessThan(200_000);
      assertThat(log.records('D') - before)
          .isGreaterThan(commit == 0 ? 0 : RingSlots.DEFAULT.ofMany());
      assertThat(StateDump.of(readBack(spec(10, 10_000)))).isEqualTo(StateDump.of(state));
    }
  }

  /** A commit writes what changed of a sensor in few bytes, and all of it now and then. */
  @Test
  void sensorThatSpeaksOnAndOn_costsAFewBytesACommit() {
    PartitionState state = new PartitionState(spec(10_000, 0), GATEWAYS, LIMITS);
    for (int commit = 0; commit < 10 * RingSlots.DEFAULT.ofFew(); commit++) {
      Columns batch = new Columns();
      for (int sensor = 0; sensor < 200; sensor++) {
        batch.row("sensor-" + sensor, 1_000L * commit + sensor + 1, 20 + sensor / 100.0);
      }
      apply(state, batch);
      state.flush(log);
    }
    assertThat(log.bytes('S') / (10.0 * RingSlots.DEFAULT.ofFew() * 200)).isLessThan(0.5);
    assertThat(log.bytes('D') / (10.0 * RingSlots.DEFAULT.ofFew() * 200)).isLessThan(18);
  }

  /** Where a sensor took a few readings since the last commit, they are written, and no sums. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8, 9, 200})
  void readingsOfACommit_areWrittenOneByOne_whereTheyAreFew(int readings) {
    PartitionState state = new PartitionState(spec(10, 30), GATEWAYS, LIMITS);
    int commits = 50;
    for (int commit = 0; commit < commits; commit++) {
      Columns batch = new Columns();
      for (int sensor = 0; sensor < 200; sensor++) {
        for (int i = 0; i < readings; i++) {
          // Two windows, one after the other and back.
          long timestampMs = 1_000L + 10L * commit + 10L * (i % 2);
          batch.row("sensor-" + sensor, timestampMs, 20 + (commit * 31 + i * 7 + sensor) / 100.0);
        }
      }
      apply(state, batch);
      state.flush(log);
      assertThat(StateDump.of(readBack(spec(10, 30)))).isEqualTo(StateDump.of(state));
    }
    double bytes = log.bytes('D') / (commits * 200.0);
    if (readings <= WindowChanges.MOST_READINGS) {
      assertThat(bytes).isLessThan(24 + 4 * readings);
    } else {
      assertThat(bytes).isBetween(60.0, 100.0);
    }
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

  @Test
  void readBack_knowsTheTopicAndTheNextOffset_andBothTimes() {
    Uuid topic = Uuid.randomUuid();
    PartitionState state = new PartitionState(spec(10, 0), GATEWAYS, LIMITS);
    assertThat(state.position().nextOffset()).isZero();
    state.observe(100, 41, topic);
    state.observe(90_100, 43, topic);
    state.flush(log);

    PartitionState again = readBack(spec(10, 0));
    assertThat(again.position().nextOffset()).isEqualTo(44);
    assertThat(again.position().topicId()).isEqualTo(topic);
    assertThat(again.time().appendMs()).isEqualTo(90_100);
    assertThat(again.time().logMs()).isEqualTo(30_100);
  }

  /** What 0.1.0 kept: its largest append time, and no offset. */
  @Test
  void metaOf_0_1_0_isReadBack_andLogTimeGoesOnFromTheLargestAppendTime() throws IOException {
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(value);
    out.writeUInt32NoTag(1);
    out.writeSInt64NoTag(10);
    out.writeSInt64NoTag(5_000);
    out.writeSInt64NoTag(4_000);
    out.flush();
    PartitionState state = new PartitionState(spec(10, 0), GATEWAYS, LIMITS);
    state.restore(new byte[] {'M'}, value.toByteArray());

    assertThat(state.position().nextOffset()).isEqualTo(InputPosition.UNKNOWN_OFFSET);
    assertThat(state.time().logMs()).isEqualTo(5_000);
    assertThat(state.time().appendMs()).isEqualTo(5_000);
  }

  @Test
  void cleared_isAsNew() {
    PartitionState state = new PartitionState(spec(10, 0), GATEWAYS, LIMITS);
    apply(state, new Columns().row("a", 1, 1).row("a", 95, 1));
    state.gateways().apply("g", 1, 9, 100);
    state.clear();
    state.flush(log);
    assertThat(log.size()).isZero();
    assertThat(state.windows().sensors()).isZero();
    assertThat(state.gateways().size()).isZero();
    assertThat(apply(state, new Columns().row("a", 1, 1))).isZero();
  }
}
