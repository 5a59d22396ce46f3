package io.weir.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.alarm.GroupTemplate;
import io.weir.internal.event.FoldSpec;
import io.weir.internal.event.TimerLimits;
import io.weir.internal.group.GroupSpec;
import io.weir.internal.group.Groups.Outcome;
import io.weir.internal.store.GroupPartState;
import io.weir.internal.store.StateMismatchException;
import io.weir.internal.window.aggregate.Aggregate;
import io.weir.topic.Topic;
import io.weir.v1.GroupSummary;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the summary of a group's window says, and when it is emitted. */
class GroupMeaningTest {
  private static final String WINDOWS = Topic.WINDOWS.defaultName();
  private static final long START_MS = 9_960_000;
  private static final GroupSpec SPEC =
      new GroupSpec(5_000, 60_000, 300_000, 1L << 40, 10_000, 1 << 27);
  private static final long SEED = Long.getLong("weir.seed", new Random().nextLong());

  private EventDriver driver = driver(SPEC);

  private static EventDriver driver(GroupSpec spec) {
    return new EventDriver(
        FoldSpec.DEFAULT,
        TimerLimits.DEFAULT,
        Optional.of(
            new GroupSettings(Topic.WINDOWS, 60_000, GroupTemplate.DEFAULT, spec, "weir-events")));
  }

  @AfterEach
  void close() {
    driver.close();
  }

  private static WindowSummary window(String sensorId, double... values) {
    Aggregate all = new Aggregate();
    DoubleStream.of(values).forEach(all::add);
    return WindowSummary.newBuilder()
        .setSensorId(sensorId)
        .setWindowStartMs(START_MS)
        .setWindowEndMs(START_MS + 60_000)
        .setCount(all.count())
        .setSum(all.sum())
        .setMin(all.min())
        .setMax(all.max())
        .addAllSumRest(DoubleStream.of(all.sumRest()).boxed().toList())
        .build();
  }

  private void send(WindowSummary summary) {
    driver.pipe(WINDOWS, summary.toByteArray(), new RecordHeaders());
  }

  private List<GroupSummary> groups() {
    return driver.groups().stream().map(EventDriver.Emitted::message).toList();
  }

  @Test
  void sensorsOfAGroup_areOneSummary_onceTheyRest() {
    send(window("press-3/left", 1, 2));
    driver.pass(2_000);
    send(window("press-3/right", 7, 0.5).toBuilder().setBadCount(2).build());
    send(window("oven-1", 5));
    long lastMs = driver.nowMs();
    driver.silence(20_000);
    List<EventDriver.Emitted<GroupSummary>> emitted = driver.groups();
    assertThat(emitted).hasSize(2);
    assertThat(emitted).allMatch(one -> one.appendMs() >= lastMs + 5_000);
    assertThat(emitted).allMatch(one -> one.appendMs() <= lastMs + 6_000);
    assertThat(emitted)
        .extracting(EventDriver.Emitted::message)
        .contains(
            GroupSummary.newBuilder()
                .setGroup("press-3")
                .setWindowStartMs(START_MS)
                .setWindowEndMs(START_MS + 60_000)
                .setSensors(2)
                .setCount(4)
                .setSum(10.5)
                .setMin(0.5)
                .setMax(7)
                .setMinSensorId("press-3/right")
                .setMaxSensorId("press-3/right")
                .setBadCount(2)
                .build());
  }

  @Test
  void newerSummary_takesThePlaceOfTheOneBefore_andIsEmittedAgain() {
    send(window("a/1", 1));
    send(window("a/2", 10));
    driver.silence(7_000);
    driver.restart(1_000);
    send(window("a/1", 1, 2).toBuilder().setRevision(1).build());
    driver.silence(7_000);
    assertThat(groups())
        .extracting(GroupSummary::getSum, GroupSummary::getCount, GroupSummary::getRevision)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(11.0, 2L, 0),
            org.assertj.core.groups.Tuple.tuple(13.0, 3L, 1));
  }

  /** Revisions begin again with a state; what is later in the log is newer. */
  @Test
  void summaryOfAStateThatBeganAgain_isTheNewest_whateverItsRevision() {
    send(window("a/1", 1, 2, 3).toBuilder().setRevision(7).build());
    send(window("a/1", 1, 2).toBuilder().setRevision(0).build());
    driver.silence(7_000);
    assertThat(groups()).extracting(GroupSummary::getSum).containsExactly(3.0);
  }

  @Test
  void burstOfRevisions_isOneRecord() {
    for (int i = 1; i <= 500; i++) {
      send(window("a/" + i % 7, i).toBuilder().setRevision(i).build());
      driver.pass(9);
    }
    driver.silence(10_000);
    assertThat(groups()).hasSize(1);
  }

  @Test
  void windowThatNeverRests_isEmitted_everyHold() {
    for (int i = 1; i <= 100; i++) {
      send(window("a/1", i));
      driver.silence(2_500);
    }
    List<EventDriver.Emitted<GroupSummary>> emitted = driver.groups();
    assertThat(emitted).hasSize(4);
    for (int i = 1; i < 4; i++) {
      assertThat(emitted.get(i).appendMs() - emitted.get(i - 1).appendMs())
          .isBetween(60_000L, 63_000L);
    }
  }

  @Test
  void summaryThatSaysTheSame_isNoChange() {
    send(window("a/1", 1));
    driver.silence(7_000);
    send(window("a/1", 1).toBuilder().setRevision(1).build());
    driver.silence(70_000);
    assertThat(groups()).hasSize(1);
    assertThat(driver.counts.grouped).containsEntry(Outcome.UNCHANGED, 1);
  }

  @Test
  void whatComesForAWindowThatWasDropped_isCounted_andChangesNothing() {
    send(window("a/1", 1));
    driver.silence(310_000);
    assertThat(driver.counts.dropped).isEqualTo(1);
    driver.restart(0);
    send(window("a/2", 2));
    driver.silence(70_000);
    assertThat(groups()).hasSize(1);
    assertThat(driver.counts.grouped).containsEntry(Outcome.WINDOW_DROPPED, 1);
  }

  /** Time in which nobody was there drops no window. */
  @Test
  void absenceOfAnHour_dropsNothing() {
    send(window("a/1", 1));
    driver.silence(7_000);
    driver.restart(7_200_000);
    send(window("a/2", 2));
    driver.silence(70_000);
    assertThat(groups()).extracting(GroupSummary::getSensors).containsExactly(1L, 2L);
  }

  /** A window before the dropped one that was never there is no dropped one. */
  @Test
  void olderWindow_thatWasNeverThere_isTaken() {
    send(window("a/1", 1));
    driver.silence(310_000);
    send(
        window("a/1", 4).toBuilder()
            .setWindowStartMs(START_MS - 60_000)
            .setWindowEndMs(START_MS)
            .build());
    driver.silence(7_000);
    assertThat(groups()).extracting(GroupSummary::getSum).containsExactly(1.0, 4.0);
  }

  @Test
  void sensorsBeyondTheLimit_areCounted_andKnownOnesGoOn() {
    driver.close();
    driver = driver(new GroupSpec(5_000, 60_000, 3_600_000, 1L << 40, 2, 1 << 27));
    send(window("a/1", 1));
    send(window("a/2", 2));
    send(window("a/3", 4));
    send(window("a/1", 8));
    driver.silence(7_000);
    assertThat(groups()).extracting(GroupSummary::getSum).containsExactly(10.0);
    assertThat(driver.counts.grouped).containsEntry(Outcome.TOO_MANY_SENSORS, 1);
  }

  /** Windows that do not fit are emitted before they are dropped. */
  @Test
  void windowsBeyondTheirMemory_areEmittedAndDropped_theOldestFirst() {
    driver.close();
    driver = driver(new GroupSpec(5_000, 60_000, 3_600_000, 1L << 40, 10_000, 1 << 20));
    int windows = 2_000;
    for (int i = 0; i < windows; i++) {
      send(window("group-" + i + "/1", i + 1));
    }
    assertThat(driver.counts.droppedEarly).isPositive();
    driver.silence(7_000);
    List<GroupSummary> groups = groups();
    assertThat(groups).hasSize(windows);
    assertThat(groups.get(0).getGroup()).isEqualTo("group-0");
    assertThat(groups).extracting(GroupSummary::getGroup).doesNotHaveDuplicates();
  }

  @Test
  void windowsOfAnotherLength_areNotLookedAt() {
    send(window("a/1", 1).toBuilder().setWindowEndMs(START_MS + 10_000).build());
    driver.silence(70_000);
    assertThat(groups()).isEmpty();
  }

  @Test
  void whatIsNoSummary_isADeadLetter() {
    driver.pipe(WINDOWS, new byte[] {1, 2, 3}, new RecordHeaders());
    driver.pipe(
        WINDOWS, window("", 1).toBuilder().setSum(Double.NaN).build().toByteArray(), headers());
    send(window("a/1", 1));
    driver.silence(7_000);
    assertThat(groups()).hasSize(1);
    assertThat(driver.deadLetters())
        .extracting(deadLetter -> deadLetter.header("weir.reason"))
        .containsExactly("UNDECODABLE", "UNDECODABLE");
  }

  private static Headers headers() {
    return new RecordHeaders();
  }

  /** Another application's parts are on the same topic. */
  @Test
  void partsOfAnotherApplication_areNotLookedAt() {
    Headers foreign = new RecordHeaders();
    foreign.add("weir.application", "other".getBytes(StandardCharsets.UTF_8));
    driver.pipe(Topic.GROUP_PARTS.defaultName(), window("a/1", 1).toByteArray(), foreign);
    driver.pipe(Topic.GROUP_PARTS.defaultName(), window("a/1", 1).toByteArray(), headers());
    driver.silence(70_000);
    assertThat(groups()).isEmpty();
  }

  /** The sum of a sensor that was split is that of the whole, bit for bit. */
  @Test
  void sensorInEightParts_readAsItsGroup_isTheWhole() {
    Random random = new Random(SEED);
    for (int round = 0; round < 10; round++) {
      driver.close();
      driver = driver(SPEC);
      Aggregate whole = new Aggregate();
      double[][] parts = new double[8][40];
      for (int i = 0; i < 320; i++) {
        double value = random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20);
        parts[i % 8][i / 8] = value;
        whole.add(value);
      }
      for (int i = 0; i < 8; i++) {
        send(window("vib-1/" + (i + 1), parts[i]));
      }
      driver.silence(7_000);
      GroupSummary group = groups().get(0);
      assertThat(group.getGroup()).isEqualTo("vib-1");
      assertThat(group.getSum()).as("seed %d", SEED).isEqualTo(whole.sum());
      assertThat(group.getCount()).isEqualTo(320);
      assertThat(group.getMin()).isEqualTo(whole.min());
      assertThat(group.getMax()).isEqualTo(whole.max());
    }
  }

  /** A window that starts after all that was deleted or lost. */
  private WindowSummary later(String sensorId, double... values) {
    long startMs = (driver.nowMs() + 4_000_000) / 60_000 * 60_000;
    return window(sensorId, values).toBuilder()
        .setWindowStartMs(startMs)
        .setWindowEndMs(startMs + 60_000)
        .build();
  }

  private void sendPart(WindowSummary part) {
    Headers own = new RecordHeaders();
    own.add("weir.application", "weir-events".getBytes(StandardCharsets.UTF_8));
    driver.pipe(Topic.GROUP_PARTS.defaultName(), part.toByteArray(), own);
  }

  /** The newest record of a window of ten sensors is not to become one of one sensor. */
  @Test
  void afterALostState_aPartReplacesNoWholeSummary() {
    send(window("a/1", 1));
    send(window("a/2", 2));
    driver.silence(7_000);
    driver.restart(1_000, EventTopology.GROUPS_STORE);
    driver.cuts.lose(2);
    sendPart(window("a/1", 1, 1));
    driver.silence(70_000);
    assertThat(groups()).extracting(GroupSummary::getSensors).containsExactly(2L);
    assertThat(driver.counts.grouped).containsEntry(Outcome.LEFT_OUT, 1);
    WindowSummary later = later("a/1", 4);
    sendPart(later);
    driver.restart(0);
    sendPart(window("a/2", 2, 2));
    driver.silence(7_000);
    assertThat(groups()).extracting(GroupSummary::getSum).containsExactly(4.0);
  }

  /** The group's partition missed nothing: the one of the sensors' windows did. */
  @Test
  void summariesDeletedUnread_leaveOutWindowsOfAllGroups_openOnesToo() {
    send(window("a/1", 1));
    send(window("b/1", 2));
    driver.silence(7_000);
    send(window("a/2", 2));
    driver.cuts.cut(5);
    send(window("c/1", 3));
    driver.silence(70_000);
    assertThat(groups()).extracting(GroupSummary::getSum).containsExactlyInAnyOrder(1.0, 2.0);
    assertThat(driver.counts.groupsLeftOut).isEqualTo(2);
    send(window("b/1", 5));
    driver.restart(0);
    send(window("b/1", 6));
    send(later("b/1", 7));
    driver.silence(7_000);
    assertThat(groups()).extracting(GroupSummary::getSum).containsExactly(7.0);
  }

  @Test
  void partsDeletedUnread_leaveOutWindows() {
    send(window("a/1", 1));
    driver.cuts.cut(5);
    sendPart(window("a/2", 2));
    driver.silence(70_000);
    assertThat(groups()).isEmpty();
  }

  /** Partitions of summaries are cut at different times; a new application reads what is left. */
  @Test
  void newApplication_leavesOutWindowsThatAnyPartitionMayLack() {
    driver.cuts.cutElsewhere(START_MS - 3_900_000 + 1);
    send(window("a/1", 1));
    driver.cuts.cutElsewhere(Long.MAX_VALUE);
    driver.silence(70_000);
    assertThat(groups()).isEmpty();
    WindowSummary next = window("a/1", 2);
    send(
        next.toBuilder()
            .setWindowStartMs(next.getWindowStartMs() + 60_000)
            .setWindowEndMs(next.getWindowEndMs() + 60_000)
            .build());
    driver.silence(7_000);
    assertThat(groups()).extracting(GroupSummary::getSum).containsExactly(2.0);
  }

  @Test
  void otherTemplateOrLength_stopsTheStart() {
    GroupPartState before = new GroupPartState(60_000, "{1}");
    before.observe(1_000, 7, org.apache.kafka.common.Uuid.ZERO_UUID);
    before.flush(
        (key, value) -> {
          new GroupPartState(60_000, "{1}").restore(key, value);
          assertThatThrownBy(() -> new GroupPartState(60_000, "{2}").restore(key, value))
              .isInstanceOf(StateMismatchException.class)
              .hasMessageContaining("weir.group: the state was made with {1}");
          assertThatThrownBy(() -> new GroupPartState(10_000, "{1}").restore(key, value))
              .isInstanceOf(StateMismatchException.class)
              .hasMessageContaining("weir.groups.size");
        });
  }
}
