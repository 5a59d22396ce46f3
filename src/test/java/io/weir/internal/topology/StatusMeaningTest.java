package io.weir.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.alarm.GroupTemplate;
import io.weir.internal.alarm.Rules;
import io.weir.internal.alarm.RulesText;
import io.weir.internal.alarm.SensorState;
import io.weir.internal.alarm.StatusPlan;
import io.weir.internal.store.StateMismatchException;
import io.weir.internal.window.WindowSpec;
import io.weir.v1.SensorStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the status of a sensor means, through the topology. */
class StatusMeaningTest extends StatusFixture {
  @Test
  void sensorThatSendsAndStops_hasEachStateOnce() {
    start(true, Rules.NONE);
    speak("g", 1);
    pass(4 * MINUTE);
    speak("g", 1);
    assertThat(states()).containsExactly("STARTED");
    pass(6 * MINUTE);
    assertThat(states()).containsExactly("SILENT");
    speak("h", 1);
    Map.Entry<String, SensorStatus> resumed = weir.statuses().get(0);
    assertThat(resumed.getKey()).isEqualTo(SENSOR);
    assertThat(resumed.getValue().getStateValue()).isEqualTo(3);
    assertThat(resumed.getValue().getGatewayId()).isEqualTo("h");
    assertThat(resumed.getValue().getSinceMs()).isEqualTo(nowMs);
    assertThat(resumed.getValue().getLastTimestampMs()).isEqualTo(nowMs);
    long lastMs = nowMs;
    pass(DAY - MINUTE);
    assertThat(states()).containsExactly("SILENT");
    weir.restart();
    pass(2 * MINUTE);
    SensorStatus finished = weir.statuses().get(0).getValue();
    assertThat(finished.getStateValue()).isEqualTo(4);
    assertThat(finished.getGatewayId()).isEqualTo("h");
    assertThat(finished.getLastTimestampMs()).isEqualTo(lastMs);
    speak("g", 1);
    assertThat(states()).containsExactly("STARTED");
  }

  /** All conditions that a file may have, under the longest names, are active for one sensor. */
  @Test
  void sensorWithAllConditions_fitsIntoRecords_alsoWhenTheFileChanges() {
    start(true, longestRules("a"));
    windows(5, 5);
    assertThat(mostStatusBytes()).isBetween(100_000, 400_000);
    assertThat(weir.largestChangelogEntry()).isBetween(100_000, 400_000);
    weir.restart(plan(true, longestRules("b")));
    windows(5, 5);
    assertThat(mostStatusBytes()).isBetween(100_000, 400_000);
    assertThat(weir.largestChangelogEntry()).isBetween(100_000, 400_000);
  }

  private static Rules longestRules(String prefix) {
    List<String> rules = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      String name = prefix + "x".repeat(95) + (1_000 + i);
      rules.add("{name: " + name + ", sensors: '*', high: 1}");
    }
    return RulesText.of(10_000, rules);
  }

  private int mostStatusBytes() {
    return weir.statuses().stream()
        .mapToInt(status -> status.getValue().getSerializedSize())
        .max()
        .orElse(0);
  }

  @Test
  void markThatEnds_isATombstone() {
    weir =
        new WeirDriver(
            Variant.of(
                WeirDriver.settings(
                    WindowSpec.of(10_000, 5_000, 0, 30_000, WindowSpec.IdleRule.ENDED, 10 * MINUTE)
                        .withMarkTtlMs(10 * MINUTE),
                    1 << 20),
                plan(true, rules("{name: high, sensors: '*', high: 10}"))));
    speak("g", 20);
    pass(21 * MINUTE);
    assertThat(states()).containsExactly("STARTED", "STARTED", "SILENT", "FINISHED", "gone");
    assertThat(alarms())
        .containsExactly("high high active exceeded 20.0", "high high cleared forgotten 20.0");
    assertThat(weir.changelogEntries('A')).isZero();
  }

  @Test
  void outageOfBrokers_isNobodysSilence() {
    start(true, rules("{name: quiet, sensors: '*', silent-after: 1m}"));
    speak("g", 1);
    nowMs += 10 * MINUTE;
    weir.tick(nowMs);
    speak("g", 1);
    assertThat(states()).containsExactly("STARTED");
    assertThat(alarms()).isEmpty();
  }

  @Test
  void statusSwitchedOn_writesThePresentStates() {
    start(false, Rules.NONE);
    speak("g", 1);
    pass(10 * MINUTE);
    assertThat(weir.changelogEntries('A')).isZero();
    weir.restart(plan(true, Rules.NONE));
    weir.tick(nowMs);
    assertThat(states()).containsExactly("SILENT");
    weir.restart();
    weir.tick(nowMs);
    assertThat(states()).isEmpty();
    assertThat(weir.changelogEntries('A')).isEqualTo(1);
    weir.restart(StatusPlan.OFF);
    weir.tick(nowMs);
    assertThat(weir.changelogEntries('A')).isZero();
  }

  @Test
  void otherGroups_stopTheStart() {
    start(false, rules("{name: a, sensors: '*', high: 95}"));
    windows(1);
    StatusPlan other =
        new StatusPlan(
            false,
            5 * MINUTE,
            rules("{name: a, sensors: '*', high: 95}"),
            10_000,
            GroupTemplate.parse("{2}"));
    assertThatThrownBy(() -> weir.restart(other))
        .isInstanceOf(StateMismatchException.class)
        .hasMessageContaining("weir.group is {2}, but the state was kept with {1}");
  }

  @Test
  void counts_areOfStatesAndPriorities() {
    start(true, rules("{name: a, sensors: '*', high: 0, priority: 2}"));
    windows(5, 5);
    pass(2_000);
    assertThat(weir.counts().statusCounts.in(SensorState.STARTED)).isEqualTo(1);
    assertThat(weir.counts().statusCounts.active(2)).isEqualTo(1);
    assertThat(weir.counts().alarms).containsEntry("2 active", 1);
  }
}
