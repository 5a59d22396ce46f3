package io.weir.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.alarm.Rules;
import io.weir.internal.alarm.StatusPlan;
import io.weir.internal.window.WindowSpec;
import io.weir.reading.Fnv1a;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.ReadingBatch;
import io.weir.v1.SensorStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What alarms mean, through the topology. */
class AlarmMeaningTest extends StatusFixture {
  /** Not in the order in which they became active. */
  @Test
  void alarmsThatAreClearedTogether_areInTheOrderOfRuleAndLevel() {
    weir =
        new WeirDriver(
            Variant.of(
                WeirDriver.settings(
                    WindowSpec.of(10_000, 5_000, 0, 30_000, WindowSpec.IdleRule.ENDED, 10 * MINUTE)
                        .withMarkTtlMs(10 * MINUTE),
                    1 << 20),
                plan(
                    true,
                    rules(
                        "{name: b, sensors: '*', high: 10, high-high: 11}",
                        "{name: a, sensors: '*', silent-after: 2m}"))));
    speak("g", 12);
    pass(21 * MINUTE);
    assertThat(alarms().stream().filter(alarm -> alarm.contains("cleared")))
        .extracting(alarm -> alarm.substring(0, alarm.indexOf(" cleared")))
        .containsExactly("a silent-after", "b high", "b high-high");
  }

  /** 3,000 closed windows are 6,000 transitions of the two alarms. */
  @Test
  void alarmsThatSwingInOneBatch_areAThousandEvents_andTheLastOfEach() {
    start(
        true,
        rules("{name: hot, sensors: '*', high: 95}", "{name: hotter, sensors: '*', high: 96}"));
    nowMs = DAY;
    ReadingBatch.Builder batch = ReadingBatch.newBuilder().setGatewayId("g");
    for (int i = 3_000; i >= 0; i--) {
      batch.addReadingsBuilder().setSensorId(SENSOR).setValue(i % 2 == 0 ? 97 : 90);
      batch.getReadingsBuilder(3_000 - i).setTimestampMs(nowMs - i * 10_000L + 6_000);
    }
    weir.send(nowMs, batch.build());
    List<Event> events = weir.events();
    assertThat(events).hasSize(1_002);
    for (Event last : events.subList(1_000, 1_002)) {
      assertThat(last.getFieldsOrThrow("active").getBoolValue()).isFalse();
      assertThat(last.getFieldsOrThrow("left_out").getInt64Value()).isEqualTo(3_000 - 500 - 1);
      assertThat(last.getTimestampMs()).isEqualTo(nowMs);
    }
    assertThat(events.get(999).containsFields("left_out")).isFalse();
    windows(97, 90);
    assertThat(alarms()).hasSize(2);
  }

  @Test
  void swingInsideTheDeadband_isOneAlarm() {
    start(true, rules("{name: hot, sensors: 'sensor-*', high: 95, deadband: 2, priority: 0}"));
    windows(90, 96, 94, 95.5, 93, 94, 92.9, 90, 90);
    assertThat(alarms())
        .containsExactly("hot high active exceeded 96.0", "hot high cleared inside 92.9");
    List<SensorStatus> published = weir.statuses().stream().map(Map.Entry::getValue).toList();
    assertThat(published).hasSize(3);
    assertThat(published.get(1).getAlarms(0).getActive()).isTrue();
    assertThat(published.get(1).getAlarms(0).getSinceMs()).isEqualTo(1_020_000);
    assertThat(published.get(2).getAlarms(0).getActive()).isFalse();
  }

  @Test
  void onDelay_countsFromTheFirstOfTheWindowsThatExceed() {
    start(false, rules("{name: hot, sensors: '*', high: 95, on-delay: 30s}"));
    windows(96, 96, 90, 96, 96, 96, 90, 90);
    assertThat(weir.events()).hasSize(2);
    weir.close();
    start(false, rules("{name: hot, sensors: '*', high: 95, on-delay: 30s}"));
    windows(96, 96, 90, 96, 96, 90, 90);
    assertThat(alarms()).isEmpty();
    assertThat(weir.statuses()).isEmpty();
  }

  @Test
  void onDelay_beginsAgainAfterAGap() {
    start(false, rules("{name: hot, sensors: '*', high: 95, on-delay: 5m}"));
    windows(10, 10, 100);
    pass(30 * MINUTE);
    windows(100, 10, 10);
    assertThat(alarms()).isEmpty();
  }

  @Test
  void windowThatOpensBehindAJudgedOne_isNotJudged() {
    String rule = "{name: hot, sensors: '*', high: 95, on-delay: 20s, on-delay-gap: 20s}";
    weir =
        new WeirDriver(
            Variant.of(WeirDriver.settings(withGrace(5_000), 1 << 20), plan(false, rules(rule))));
    at(965_000, "g", 96);
    at(985_000, "g", 96);
    at(1_005_000, "g", 96);
    assertThat(alarms()).containsExactly("hot high active exceeded 96.0");
    weir.restart(withGrace(30_000));
    at(975_000, "g", 1);
    at(1_035_000, "g", 96);
    weir.restart(withGrace(30_000));
    at(1_075_000, "g", 96);
    pass(5 * MINUTE);
    assertThat(alarms()).isEmpty();
  }

  private static WindowSpec withGrace(long graceMs) {
    return WindowSpec.of(10_000, graceMs, 5 * MINUTE, 60_000, WindowSpec.IdleRule.ENDED, DAY);
  }

  @Test
  void onDelay_goesOnOverAGapThatTheRuleAllows() {
    Rules oneWindow = rules("{name: hot, sensors: '*', high: 95, on-delay: 50s}");
    Rules none = rules("{name: hot, sensors: '*', high: 95, on-delay: 50s, on-delay-gap: 0s}");
    Rules twoWindows =
        rules("{name: hot, sensors: '*', high: 95, on-delay: 50s, on-delay-gap: 20s}");
    assertThat(alarmsWithGap(oneWindow, 10_000)).hasSize(1);
    assertThat(alarmsWithGap(oneWindow, 20_000)).isEmpty();
    assertThat(alarmsWithGap(none, 10_000)).isEmpty();
    assertThat(alarmsWithGap(twoWindows, 20_000)).hasSize(1);
    assertThat(alarmsWithGap(twoWindows, 30_000)).isEmpty();
  }

  private List<String> alarmsWithGap(Rules rules, long gapMs) {
    start(false, rules);
    windows(96, 96);
    nowMs += gapMs;
    weir.restart();
    windows(96, 96, 90, 90);
    List<String> active = alarms().stream().filter(each -> each.contains("active")).toList();
    weir.close();
    weir = null;
    return active;
  }

  @Test
  void windowThatDoesNotExceed_breaksTheRow_alsoWhereItIsOpen() {
    start(false, rules("{name: hot, sensors: '*', high: 95, on-delay: 30s}"));
    at(960_000, "g", 96);
    at(972_000, "g", 90);
    at(984_000, "g", 96);
    pass(2 * MINUTE);
    assertThat(alarms()).isEmpty();
  }

  @Test
  void severalLimits_areAlarmsOfTheirOwn() {
    start(false, rules("{name: t, sensors: '*', low-low: 0, low: 10, high: 90, high-high: 99}"));
    windows(95, 99, 95, 5, -1, 50, 50);
    assertThat(alarms())
        .containsExactly(
            "t high active exceeded 95.0",
            "t high-high active exceeded 99.0",
            "t high-high cleared inside 95.0",
            "t low active exceeded 5.0",
            "t high cleared inside 5.0",
            "t low-low active exceeded -1.0",
            "t low-low cleared inside 50.0",
            "t low cleared inside 50.0");
  }

  @Test
  void sensorThatGoesHighAndDies_isActiveByItsIdleWindow() {
    start(true, rules("{name: hot, sensors: '*', high: 95, on-delay: 10s}"));
    speak("g", 100);
    pass(2 * MINUTE);
    assertThat(alarms()).containsExactly("hot high active exceeded 100.0");
    pass(DAY + MINUTE);
    weir.statuses();
    assertThat(alarms()).isEmpty();
    windows(1, 1, 1);
    assertThat(alarms()).containsExactly("hot high cleared inside 1.0");
  }

  @Test
  void deviation_isHeldAgainstTheSensorsOwnPast() {
    start(false, rules("{name: odd, sensors: '*', deviation: {baseline: 2m, sigmas: 4}}"));
    windows(10, 12, 10, 12, 10, 12, 10, 12, 10);
    windows(100);
    windows(10, 12, 10, 12, 10, 12, 10, 12, 10, 12, 10, 12);
    weir.restart();
    assertThat(alarms()).isEmpty();
    windows(40, 11, 11);
    assertThat(alarms())
        .containsExactly("odd deviation active exceeded 40.0", "odd deviation cleared inside 11.0");
  }

  @Test
  void silence_ofARule_isAnAlarmUntilTheSensorSends() {
    start(true, rules("{name: quiet, sensors: '*', silent-after: 1m, priority: 3}"));
    speak("g", 1);
    pass(2 * MINUTE);
    Event silent = weir.events().get(0);
    assertThat(silent.getKey()).isEqualTo(SENSOR);
    assertThat(silent.getSubject()).isEqualTo(SENSOR);
    assertThat(silent.getType()).isEqualTo("alarm");
    assertThat(silent.getFieldsMap().get("limit").getDoubleValue()).isEqualTo(60_000);
    assertThat(silent.getFieldsMap().get("priority").getInt64Value()).isEqualTo(3);
    weir.restart();
    pass(2 * MINUTE);
    assertThat(alarms()).isEmpty();
    speak("g", 1);
    assertThat(alarms())
        .hasSize(1)
        .allMatch(alarm -> alarm.startsWith("quiet silent-after cleared speaks"));
    pass(2 * MINUTE);
    assertThat(alarms()).hasSize(1);
    assertThat(states()).containsExactly("STARTED", "STARTED");
  }

  @Test
  void rules_thatAreRemovedOrChanged_clearWithTheirCause() {
    start(
        true,
        rules(
            "{name: a, sensors: '*', high: 95}",
            "{name: b, sensors: '*', high: 96}",
            "{name: c, sensors: '*', high: 97}",
            "{name: d, sensors: '*', high: 98}"));
    windows(100, 100);
    assertThat(alarms()).hasSize(4);
    weir.restart(
        plan(
            true,
            rules(
                "{name: b, sensors: 'x*', high: 96}",
                "{name: c, sensors: '*', high: 120}",
                "{name: d, sensors: '*', high: 99}")));
    weir.tick(nowMs);
    assertThat(alarms())
        .containsExactly(
            "a high cleared rule-removed 100.0",
            "b high cleared rule-changed 100.0",
            "c high cleared rule-changed 100.0");
    weir.restart();
    weir.tick(nowMs);
    assertThat(alarms()).isEmpty();
    windows(98.5, 98.5);
    assertThat(alarms()).containsExactly("d high cleared inside 98.5");
  }

  @Test
  void statusAndRulesThatAreSwitchedOff_clearWhatIsActive() {
    for (StatusPlan off : List.of(StatusPlan.OFF, plan(true, Rules.NONE))) {
      start(
          true, rules("{name: hot, sensors: '*', high: 95}", "{name: cold, sensors: '*', low: 5}"));
      windows(100, 100);
      assertThat(alarms()).hasSize(1);
      weir.restart(off);
      weir.tick(nowMs);
      assertThat(alarms()).containsExactly("hot high cleared rule-removed 100.0");
      weir.restart(StatusPlan.OFF);
      weir.tick(nowMs);
      weir.restart();
      assertThat(alarms()).isEmpty();
      assertThat(weir.changelogEntries('A')).isZero();
      weir.close();
    }
    start(false, rules("{name: hot, sensors: '*', high: 95}"));
  }

  /** A deviation that was reached is not measured again. */
  @Test
  void anotherPriorityOrDeadband_changesAnActiveAlarmInPlace() {
    String odd = "{name: odd, sensors: '*', deviation: {baseline: 150s, sigmas: 3}, ";
    start(true, rules(odd + "priority: 3}"));
    windows(10, 11, 10, 11, 10, 11, 10, 11, 10, 11, 10, 99, 10);
    assertThat(alarms()).hasSize(1).allMatch(alarm -> alarm.startsWith("odd deviation active"));
    weir.statuses();

    weir.restart(plan(true, rules(odd + "priority: 1, deadband: 2}")));
    weir.tick(nowMs);
    assertThat(alarms()).isEmpty();
    List<SensorStatus> published = weir.statuses().stream().map(Map.Entry::getValue).toList();
    assertThat(published).hasSize(1);
    assertThat(published.get(0).getAlarms(0).getActive()).isTrue();
    assertThat(published.get(0).getAlarms(0).getPriority()).isEqualTo(1);
  }

  @Test
  void anotherPriority_letsAnOnDelayGoOn() {
    start(false, rules("{name: hot, sensors: '*', high: 95, on-delay: 50s, priority: 2}"));
    windows(96, 96, 96, 96);
    assertThat(alarms()).isEmpty();
    weir.restart(
        plan(false, rules("{name: hot, sensors: '*', high: 95, on-delay: 50s, priority: 3}")));
    windows(96, 96);
    assertThat(alarms()).containsExactly("hot high active exceeded 96.0");
  }

  /** By how long it has been silent now, and not by how long it was when the alarm was raised. */
  /** Also where the first record closes a window. */
  @Test
  void anotherLimit_beginsTheOnDelayAgain() {
    start(true, rules("{name: hot, sensors: '*', high: 90, on-delay: 30s}"));
    windows(92, 92, 96);
    weir.restart(plan(true, rules("{name: hot, sensors: '*', high: 95, on-delay: 30s}")));
    windows(96, 96);
    assertThat(alarms()).isEmpty();
    windows(50);
    assertThat(alarms()).containsExactly("hot high active exceeded 96.0");
  }

  /** The first record closes a window that raises it: nothing clears it behind. */
  @Test
  void anotherDeviation_thatRaisesWithTheFirstRecord_isOneAlarm() {
    start(
        true,
        rules("{name: odd, sensors: '*', deviation: {baseline: 100s, sigmas: 9}, on-delay: 40s}"));
    windows(1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 50, 50);
    weir.restart(
        plan(true, rules("{name: odd, sensors: '*', deviation: {baseline: 100s, sigmas: 1}}")));
    windows(50);
    assertThat(alarms()).hasSize(1);
  }

  @Test
  void anotherSilence_isHeldAgainstTheSilenceOfNow() {
    start(false, rules("{name: quiet, sensors: '*', silent-after: 1m}"));
    speak("g", 1);
    pass(3 * MINUTE);
    assertThat(alarms()).hasSize(1);

    weir.restart(plan(false, rules("{name: quiet, sensors: '*', silent-after: 2m}")));
    weir.tick(nowMs);
    pass(MINUTE);
    assertThat(alarms()).isEmpty();

    weir.restart(plan(false, rules("{name: quiet, sensors: '*', silent-after: 6m}")));
    weir.tick(nowMs);
    assertThat(alarms())
        .hasSize(1)
        .allMatch(alarm -> alarm.startsWith("quiet silent-after cleared rule-changed"));
    pass(4 * MINUTE);
    assertThat(alarms())
        .hasSize(1)
        .allMatch(alarm -> alarm.startsWith("quiet silent-after active exceeded"));
  }

  /** Nothing would raise it again. */
  @Test
  void anotherSilence_letsTheAlarmOfAForgottenSensorStand() {
    WindowSpec spec =
        WindowSpec.of(10_000, 5_000, 0, 30_000, WindowSpec.IdleRule.ENDED, 10 * MINUTE)
            .withMarkTtlMs(100 * MINUTE);
    weir =
        new WeirDriver(
            Variant.of(
                WeirDriver.settings(spec, 1 << 20),
                plan(false, rules("{name: quiet, sensors: '*', silent-after: 1m}"))));
    speak("g", 1);
    pass(12 * MINUTE);
    assertThat(alarms()).hasSize(1);

    weir.restart(plan(false, rules("{name: quiet, sensors: '*', silent-after: 2m}")));
    weir.tick(nowMs);
    weir.restart(plan(false, rules("{name: quiet, sensors: '*', silent-after: 20m}")));
    weir.tick(nowMs);
    pass(MINUTE);
    assertThat(alarms()).isEmpty();

    weir.restart(plan(false, rules("{name: other, sensors: 'x', silent-after: 1m}")));
    weir.tick(nowMs);
    assertThat(alarms())
        .hasSize(1)
        .allMatch(alarm -> alarm.startsWith("quiet silent-after cleared rule-removed"));
  }

  @Test
  void alarmsOfOneRecord_goTogether_intoTheGroupsPartition() {
    start(false, rules("{name: a, sensors: '*', high: 0}", "{name: b, sensors: '*', high: 1}"));
    windows(5, 5);
    List<EventBatch> batches = weir.eventBatches();
    assertThat(batches).hasSize(1);
    assertThat(batches.get(0).getEventsCount()).isEqualTo(2);
    assertThat(batches.get(0).getGatewayId()).startsWith("weir/");
    assertThat(batches.get(0).getSequence()).isEqualTo(1);
    assertThat(io.weir.topic.SensorPartition.of(SENSOR)).isEqualTo(Fnv1a.hash(SENSOR) & 63);
  }

  @Test
  void sameReadings_inOtherBatchesAndOrder_giveTheSameAlarms() {
    long seed = Long.getLong("weir.seed", 7);
    for (int i = 0; i < 30; i++, seed++) {
      Random random = new Random(seed);
      List<long[]> readings = new ArrayList<>();
      for (int n = 0; n < 200; n++) {
        readings.add(new long[] {1_000_000 + n * 1_500L, 80 + random.nextInt(25)});
      }
      List<Event> inOrder = alarmsOf(readings, 1, random);
      assertThat(inOrder).as("seed %d", seed).isNotEmpty();
      List<Event> other = alarmsOf(shuffledWithinGrace(readings, random), 3, random);
      assertThat(other).as("seed %d", seed).isEqualTo(inOrder);
    }
  }

  /** Neighbours change places: none is more than the grace behind the newest before it. */
  private static List<long[]> shuffledWithinGrace(List<long[]> readings, Random random) {
    List<long[]> shuffled = new ArrayList<>(readings);
    for (int n = 0; n + 3 <= shuffled.size(); n += 3) {
      Collections.shuffle(shuffled.subList(n, n + 3), random);
    }
    return shuffled;
  }

  private static List<Event> alarmsOf(List<long[]> readings, int mostInBatch, Random random) {
    Rules rules =
        rules(
            "{name: high, sensors: '*', high: 103, deadband: 3}",
            "{name: long, sensors: '*', high: 100, on-delay: 30s}",
            "{name: odd, sensors: '*', deviation: {baseline: 150s, sigmas: 1.5}}");
    try (WeirDriver driver = new WeirDriver(settings(false, rules))) {
      for (int n = 0; n < readings.size(); ) {
        ReadingBatch.Builder batch = ReadingBatch.newBuilder();
        for (int left = 1 + random.nextInt(mostInBatch); left > 0 && n < readings.size(); left--) {
          long[] reading = readings.get(n++);
          batch
              .addReadingsBuilder()
              .setSensorId(SENSOR)
              .setTimestampMs(reading[0])
              .setValue(reading[1]);
        }
        driver.send(2_000_000 + n, batch.build());
      }
      // Closes the last windows for both.
      driver.send(
          3_000_000,
          ReadingBatch.newBuilder()
              .addReadings(
                  io.weir.v1.Reading.newBuilder()
                      .setSensorId(SENSOR)
                      .setTimestampMs(2_000_000)
                      .setValue(0))
              .build());
      return driver.events();
    }
  }
}
