package io.weir.internal.serve.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.weir.internal.alarm.GroupTemplate;
import io.weir.internal.serve.memory.Memory.Place;
import io.weir.topic.Topic;
import io.weir.v1.AlarmState;
import io.weir.v1.GroupSummary;
import io.weir.v1.SensorState;
import io.weir.v1.SensorStatus;
import io.weir.v1.WindowSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemoryTest {
  private static final long BYTES = 4 << 20;
  private static final SensorQuery ALL = query("", "", "");

  private final Memory memory = new Memory(BYTES, GroupTemplate.DEFAULT, 60_000);

  private static SensorQuery query(String prefix, String contained, String after) {
    return new SensorQuery(
        prefix, contained, Optional.empty(), Optional.empty(), false, after, 1_000);
  }

  private void window(String id, long offset, long startMs, double value, int revision) {
    WindowSummary summary =
        WindowSummary.newBuilder()
            .setSensorId(id)
            .setWindowStartMs(startMs)
            .setWindowEndMs(startMs + 1_000)
            .setCount(1)
            .setSum(value)
            .setMin(value)
            .setMax(value)
            .setRevision(revision)
            .build();
    memory.window(
        new Stored(Topic.WINDOWS, 0, offset, startMs + 1_500, summary.toByteArray()), summary);
  }

  private void status(String id, long offset, SensorState state, boolean alarm) {
    SensorStatus.Builder status = SensorStatus.newBuilder().setSensorId(id).setState(state);
    if (alarm) {
      status.addAlarms(AlarmState.newBuilder().setRule("hot").setActive(true).setPriority(1));
    }
    SensorStatus built = status.build();
    memory.status(new Stored(Topic.STATUS, 0, offset, 1, built.toByteArray()), built);
  }

  private List<String> ids(SensorQuery query) {
    return memory.sensors(query).rows().stream().map(SensorView::id).toList();
  }

  @Test
  void sensors_areInTheOrderOfIds_andFoundByPrefixAndPart() {
    for (String id : List.of("b/2", "a/1", "b/1", "c")) {
      window(id, 0, 10_000, 1, 0);
    }
    assertThat(ids(ALL)).containsExactly("a/1", "b/1", "b/2", "c");
    assertThat(ids(query("b/", "", ""))).containsExactly("b/1", "b/2");
    assertThat(ids(query("", "1", ""))).containsExactly("a/1", "b/1");
    assertThat(ids(query("b/", "", "b/1"))).containsExactly("b/2");
    assertThat(memory.sensors(query("b/", "", "b/1")).total()).isEqualTo(2);
  }

  @Test
  void prioritiesThatNoRuleCanHave_areOne() {
    SensorStatus.Builder status = SensorStatus.newBuilder().setSensorId("a");
    for (int priority = -500; priority < 500; priority++) {
      status.addAlarms(AlarmState.newBuilder().setActive(true).setPriority(priority));
    }
    SensorStatus built = status.build();
    memory.status(new Stored(Topic.STATUS, 0, 1, 1, built.toByteArray()), built);
    assertThat(memory.overview(0).alarms()).hasSize(11).containsEntry(10, 990).containsEntry(9, 1);
    memory.forget("a");
    assertThat(memory.overview(0).alarms()).isEmpty();
  }

  private void forged(Topic topic, String id, long startMs, long endMs, int padding) {
    WindowSummary summary =
        WindowSummary.newBuilder()
            .setSensorId(id)
            .setWindowStartMs(startMs)
            .setWindowEndMs(endMs)
            .setUnknownFields(padding(padding))
            .build();
    memory.window(new Stored(topic, 0, 0, 10_000, summary.toByteArray()), summary);
  }

  private static UnknownFieldSet padding(int bytes) {
    ByteString zeros = ByteString.copyFrom(new byte[bytes]);
    return UnknownFieldSet.newBuilder()
        .addField(1_000, UnknownFieldSet.Field.newBuilder().addLengthDelimited(zeros).build())
        .build();
  }

  @Test
  void lengthsOfWindowsThatAreInvented_doNotTakeThePlaceOfTrueOnes() {
    for (int length = -1; length < 100; length++) {
      forged(Topic.WINDOWS, "b", 0, length, 0);
    }
    for (int i = 0; i < 20; i++) {
      window("a", i, 10_000, 1, 0);
      forged(Topic.WINDOWS, "b", 0, 5_000 + i, 0);
    }
    assertThat(memory.overview(0).sizesMs())
        .hasSize(16)
        .contains(1_000L)
        .allMatch(sizeMs -> sizeMs > 0);
  }

  @Test
  void windowFarAhead_doesNotHideTheNewest() {
    for (long startMs : new long[] {Long.MAX_VALUE - 1, 80_000}) {
      forged(Topic.WINDOWS, "a", startMs, startMs + 1, 0);
    }
    window("a", 1, 10_000, 7, 0);
    assertThat(memory.sensor("a").newest().orElseThrow().getSum()).isEqualTo(7);
  }

  @Test
  void largeWindows_doNotMakeALargeOverview_orPage() {
    for (int i = 0; i < 20; i++) {
      forged(Topic.WINDOWS, "b" + i, 0, 1_000, 100_000);
    }
    window("a", 1, 10_000, 7, 0);
    assertThat(bytes(memory.overview(0).newest())).isBetween(1L, 256L << 10);
    forged(Topic.WINDOWS, "b", 0, 1_000, 1_000_000);
    assertThat(memory.overview(0).newest()).isEmpty();
  }

  @Test
  void pageOfLargeSensors_isShorter() {
    Memory large = new Memory(64 << 20, GroupTemplate.DEFAULT, 60_000);
    for (int i = 10; i < 50; i++) {
      WindowSummary summary =
          WindowSummary.newBuilder()
              .setSensorId("a" + i)
              .setUnknownFields(padding(1_000_000))
              .build();
      large.window(new Stored(Topic.WINDOWS, 0, i, 10_000, summary.toByteArray()), summary);
    }
    List<String> ids = new ArrayList<>();
    for (boolean more = true; more; ) {
      String after = ids.isEmpty() ? "" : ids.get(ids.size() - 1);
      Memory.Page<SensorView> page = large.sensors(query("", "", after));
      assertThat(page.rows()).hasSizeBetween(1, 5);
      page.rows().forEach(row -> ids.add(row.id()));
      more = page.more();
    }
    assertThat(ids).hasSize(40).doesNotHaveDuplicates();
  }

  private static long bytes(List<Stored> records) {
    return records.stream().mapToLong(record -> record.value().length).sum();
  }

  /** A state that this version does not know, where there is no memory for the whole status. */
  @Test
  void largeStatusOfAnUnknownState_isTaken() {
    for (int i = 0; i < 3; i++) {
      forged(Topic.WINDOWS, "b" + i, 0, 1_000, 1_050_000);
    }
    SensorStatus status =
        SensorStatus.newBuilder()
            .setSensorId("a")
            .setStateValue(99)
            .setUnknownFields(padding(900_000))
            .build();
    memory.status(new Stored(Topic.STATUS, 0, 1, 1, status.toByteArray()), status);
    assertThat(memory.sensor("a").status()).isEmpty();
    memory.forget("a");
  }

  /** Anyone can write a dead letter. */
  @Test
  void reasonsThatAreNotWeirs_areOne() {
    refuse("INVALID_VALUE");
    refuse("MALFORMED_RECORD");
    for (int i = 0; i < 1_000; i++) {
      refuse("invented " + i);
    }
    assertThat(memory.overview(1_000).refused())
        .containsOnlyKeys("INVALID_VALUE", "MALFORMED_RECORD", "(others)");
  }

  private void refuse(String reason) {
    memory.refuse(
        new RefusedRecord(Topic.DEAD_LETTERS, 0, 0, 1, Map.of(), Set.of(), "{}"), reason, 1);
  }

  /** Whoever names sensors names groups. */
  @Test
  void groups_areWithinTheMemory() {
    for (int i = 0; i < 50_000; i++) {
      group("group " + i, i, "");
    }
    assertThat(memory.groups("", "", 1).total()).isBetween(10_000L, 40_000L);
    window("another/a", 0, 10_000, 1, 0);
    assertThat(memory.overview(1_000).unlisted()).isEqualTo(1);
    assertWithinMemory();
    for (int i = 0; i < 100; i++) {
      group("group " + i, 50_000 + i, "x".repeat(100_000));
    }
    assertWithinMemory();
    assertThat(memory.group("group 7").newest()).isEmpty();
  }

  private void assertWithinMemory() {
    assertThat(memory.bytes().values().stream().mapToLong(each -> each).sum())
        .isLessThanOrEqualTo(BYTES);
  }

  private void group(String name, long offset, String more) {
    GroupSummary summary =
        GroupSummary.newBuilder()
            .setGroup(name)
            .setWindowStartMs(offset)
            .setUnknownFields(
                UnknownFieldSet.newBuilder()
                    .addField(
                        1_000,
                        UnknownFieldSet.Field.newBuilder()
                            .addLengthDelimited(ByteString.copyFromUtf8(more))
                            .build())
                    .build())
            .build();
    memory.group(new Stored(Topic.GROUPS, 0, offset, 1, summary.toByteArray()), summary);
  }

  @Test
  void pages_haveEachSensorOnce() {
    for (int i = 0; i < 250; i++) {
      window("s" + i, i, 10_000, 1, 0);
    }
    List<String> seen = new ArrayList<>();
    Memory.Page<SensorView> page;
    do {
      String after = seen.isEmpty() ? "" : seen.get(seen.size() - 1);
      page =
          memory.sensors(
              new SensorQuery("", "", Optional.empty(), Optional.empty(), false, after, 30));
      page.rows().forEach(row -> seen.add(row.id()));
    } while (page.more());
    assertThat(seen).hasSize(250).doesNotHaveDuplicates().isSorted();
    assertThat(page.total()).isEqualTo(250);
  }

  @Test
  void newest_isThatOfTheLatestWindow_notOfTheLatestRecord() {
    window("a", 0, 10_000, 1, 0);
    window("a", 1, 12_000, 3, 0);
    window("a", 2, 10_000, 2, 1);

    assertThat(memory.sensor("a").newest().orElseThrow().getSum()).isEqualTo(3);
    assertThat(memory.sensor("a").newestOffset()).isEqualTo(1);
  }

  @Test
  void history_isNewestFirst_andSaysWhetherItIsComplete() {
    for (int i = 0; i < 10; i++) {
      window("a", i, 10_000 + i * 1_000, i, 0);
    }
    Memory.History<Stored> some = memory.ofSensor("a", Topic.WINDOWS, 15_500);
    assertThat(some.rows()).extracting(Stored::offset).containsExactly(9L, 8L, 7L, 6L, 5L, 4L);
    assertThat(some.complete()).isTrue();
    assertThat(memory.ofSensor("a", Topic.WINDOWS, 0).complete()).isFalse();
  }

  @Test
  void historyOfAWholeTopic_isComplete_untilTheRingDropsSome() {
    memory.begin(Topic.WINDOWS, 0, 0, true);
    window("a", 0, 10_000, 1, 0);
    assertThat(memory.ofSensor("a", Topic.WINDOWS, 0).complete()).isTrue();
    for (int i = 1; memory.heldFrom(Topic.WINDOWS, 0) == 0; i++) {
      window("b", i, 10_000, 1, 0);
    }
    assertThat(memory.ofSensor("a", Topic.WINDOWS, 0).complete()).isFalse();
    assertThat(memory.overview(0).historyFromMs()).isPositive();
  }

  @Test
  void states_groupsAndAlarms_areCounted_andForgotten() {
    status("g/1", 0, SensorState.SENSOR_STATE_STARTED, true);
    status("g/2", 1, SensorState.SENSOR_STATE_SILENT, false);
    assertThat(memory.overview(0).sensors())
        .isEqualTo(Map.of(SensorState.SENSOR_STATE_STARTED, 1, SensorState.SENSOR_STATE_SILENT, 1));
    assertThat(memory.overview(0).alarms()).isEqualTo(Map.of(1, 1));
    assertThat(memory.group("g")).isEqualTo(new GroupView("g", 2, 1, 1, Optional.empty()));

    status("g/1", 2, SensorState.SENSOR_STATE_SILENT, false);
    memory.forget("g/2");
    assertThat(memory.overview(0).sensors()).isEqualTo(Map.of(SensorState.SENSOR_STATE_SILENT, 1));
    assertThat(memory.overview(0).alarms()).isEmpty();
    assertThat(memory.group("g")).isEqualTo(new GroupView("g", 1, 1, 0, Optional.empty()));
    assertThat(memory.sensor("g/2")).isNull();
  }

  /** Sensors come first, the ring gets the rest, and together they stay within the bound. */
  @Test
  void memory_staysWithinItsBound() {
    Random random = new Random(7);
    for (int i = 0; i < 100_000; i++) {
      window("sensor-" + random.nextInt(30_000), i, 10_000L + i, random.nextDouble(), 0);
    }
    long bytes = memory.bytes().values().stream().mapToLong(each -> each).sum();
    assertThat(bytes).isLessThanOrEqualTo(BYTES + (1 << 20));
    assertThat(memory.overview(0).unlisted()).isPositive();
    assertThat(ids(ALL)).isNotEmpty();
    assertThat(memory.heldFrom(Topic.WINDOWS, 0)).isPositive();
  }

  @Test
  void subscriber_getsWhatItMissed_once_andWhatComes() {
    for (int i = 0; i < 5; i++) {
      window("a", i, 10_000 + i * 1_000, i, 0);
    }
    List<Stored> live = new ArrayList<>();
    Memory.Listener listener = live::add;
    List<Stored> missed = memory.subscribe("a", List.of(new Place(Topic.WINDOWS, 0, 2)), listener);
    window("a", 5, 15_000, 5, 0);
    window("b", 6, 15_000, 5, 0);
    memory.unsubscribe("a", listener);
    window("a", 7, 16_000, 5, 0);

    assertThat(missed).extracting(Stored::offset).containsExactly(3L, 4L);
    assertThat(live).extracting(Stored::offset).containsExactly(5L);
  }

  @Test
  void ring_dropsTheOldest_andTellsOfEach() {
    List<Long> dropped = new ArrayList<>();
    RecordRing ring =
        new RecordRing(1_000, 3_000, (topic, partition, offset, ms) -> dropped.add(offset));
    long chain = RecordRing.NONE;
    for (int i = 0; i < 100; i++) {
      chain = ring.append(chain, new Stored(Topic.STATUS, 63, i, i, new byte[i % 50]));
    }
    long left = 100;
    for (long at = chain; at != RecordRing.NONE && ring.holds(at); at = ring.before(at)) {
      Stored record = ring.at(at);
      assertThat(record.offset()).isEqualTo(--left);
      assertThat(record.partition()).isEqualTo(63);
      assertThat(record.topic()).isEqualTo(Topic.STATUS);
      assertThat(record.value()).hasSize((int) left % 50);
    }
    assertThat(ring.bytes()).isLessThanOrEqualTo(3_000);
    assertThat(dropped).hasSize((int) left).isSorted();
    assertThat(dropped.get(dropped.size() - 1)).isEqualTo(left - 1);
  }
}
