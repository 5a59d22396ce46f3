package io.weir.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.alarm.GroupTemplate;
import io.weir.internal.alarm.Rules;
import io.weir.internal.alarm.RulesFile;
import io.weir.internal.alarm.StatusPlan;
import io.weir.internal.window.StatisticsPlan;
import io.weir.internal.window.Window;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.window.aggregate.StatisticSet;
import io.weir.internal.window.durable.WindowChanges;
import io.weir.reading.Columns;
import io.weir.reading.IdBytes;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionStateTest extends PartitionStateFixture {
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

  /**
   * Its sequences and windows are of records that it has read: redrive must not take them for
   * unread, as it may those of gaps.
   */
  @Test
  void lifeKnowsWhatItHasNotRead_alsoBehindALoss_andAnEmptyStateBeginsWithTheNextRecord() {
    long[] ids = {0};
    PartitionState state =
        new PartitionState(spec(10, 0), GATEWAYS, LIMITS, StatusPlan.OFF, () -> ++ids[0]);
    state.observe(100, 7, Uuid.ZERO_UUID);
    state.deletedUnread(50, true, 100);
    state.observe(100, 58, Uuid.ZERO_UUID);
    state.deletedUnread(2, false, 100);
    state.observe(100, 61, Uuid.ZERO_UUID);
    assertThat(state.life()).isEqualTo(2);
    assertThat(state.runningLife())
        .hasToString(
            "Optional[0000000000000002@AAAAAAAAAAAAAAAAAAAAAA@0"
                + "@0-7,8-58~0000000000000001,59-61]");
    state.flush(log);
    assertThat(readBack(spec(10, 0)).runningLife()).isEqualTo(state.runningLife());

    state.clear();
    assertThat(state.runningLife()).isEmpty();
    state.observe(100, 60, Uuid.ZERO_UUID);
    assertThat(state.runningLife())
        .hasToString("Optional[0000000000000003@AAAAAAAAAAAAAAAAAAAAAA@0@0-60]");
  }

  /** Only the offsets in front of its first record are unread: the others have new records. */
  @Test
  void lifeHasReadTheNewRecords_ofATopicThatLostItsEnd() {
    PartitionState state = new PartitionState(spec(10, 0), GATEWAYS, LIMITS);
    state.observe(100, 7, Uuid.ZERO_UUID);
    state.observe(100, 99, Uuid.ZERO_UUID);
    state.deletedUnread(1, false, 100);
    state.observe(100, 90, Uuid.ZERO_UUID);
    state.observe(100, 91, Uuid.ZERO_UUID);
    assertThat(state.runningLife().orElseThrow().unread()).hasToString("0@0-7");
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
      assertThat(log.records('D') - before).isGreaterThan(commit == 0 ? 0 : ChangeRing.SLOTS);
      assertThat(StateDump.of(readBack(spec(10, 10_000)))).isEqualTo(StateDump.of(state));
    }
  }

  /** A commit writes what changed of a sensor in few bytes, and all of it now and then. */
  @Test
  void sensorThatSpeaksOnAndOn_costsAFewBytesACommit() {
    PartitionState state = new PartitionState(spec(10_000, 0), GATEWAYS, LIMITS);
    for (int commit = 0; commit < 10 * ChangeRing.SLOTS; commit++) {
      Columns batch = new Columns();
      for (int sensor = 0; sensor < 200; sensor++) {
        batch.row("sensor-" + sensor, 1_000L * commit + sensor + 1, 20 + sensor / 100.0);
      }
      apply(state, batch);
      state.flush(log);
    }
    assertThat(log.bytes('S') / (10.0 * ChangeRing.SLOTS * 200)).isLessThan(0.7);
    assertThat(log.bytes('D') / (10.0 * ChangeRing.SLOTS * 200)).isLessThan(18);
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

  @Test
  void newestTime_isKeptWhereTheAppendTimeIsBehindIt_andNoLonger() {
    long dayAhead = 86_400_000;
    PartitionState state = new PartitionState(spec(10, 0), GATEWAYS, LIMITS);
    state.observe(500, 1, Uuid.ZERO_UUID);
    state.flush(log);
    int entries = log.compacted(false).size();
    state.observe(400, 2, Uuid.ZERO_UUID);
    state.flush(log);
    assertThat(log.compacted(false).size()).isEqualTo(entries + 1);
    assertThat(readBack(spec(10, 0)).time().latestMs()).isEqualTo(500);

    state.observe(dayAhead, 3, Uuid.ZERO_UUID);
    state.flush(log);
    PartitionState again = readBack(spec(10, 0));
    assertThat(again.time().newestMs()).isEqualTo(500);
    assertThat(again.time().aheadSinceMs()).isEqualTo(dayAhead);

    again.observe(dayAhead + 60_000, 4, Uuid.ZERO_UUID);
    again.flush(log);
    assertThat(log.compacted(false).size()).isEqualTo(entries);
    assertThat(readBack(spec(10, 0)).time().latestMs()).isEqualTo(dayAhead + 60_000);
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
