package io.weir.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.alarm.GroupTemplate;
import io.weir.internal.alarm.Rules;
import io.weir.internal.alarm.RulesText;
import io.weir.internal.alarm.StatusPlan;
import io.weir.internal.window.WindowSpec;
import io.weir.lab.oracle.NaiveStatus;
import io.weir.v1.AlarmState;
import io.weir.v1.Event;
import io.weir.v1.SensorStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Status and alarms of a random history: those that were due, and those that came. */
final class RandomStatus {
  private static final List<String> RULES =
      List.of(
          "{name: hot, sensors: '*', high: 1050, high-high: 1200, deadband: 60, priority: 0}",
          "{name: cold, sensors: 'sensor-??', low: 950, deadband: 20, on-delay: 20ms}",
          "{name: warm, sensors: '*', high: 1000, on-delay: 60ms, on-delay-gap: 30ms}",
          "{name: cool, sensors: '*', low: 1020, on-delay: 40ms, on-delay-gap: 0s}",
          "{name: odd, sensors: '*', deviation: {of: mean, baseline: 200ms, sigmas: 1}}",
          "{name: odd-max, sensors: '*5*', on-delay: 15ms,"
              + " deviation: {of: max, baseline: 1000ms, sigmas: 0.5, at-least: 3}}",
          "{name: quiet, sensors: '*', silent-after: 45ms}",
          "{name: quieter, sensors: 'sensor-1*', silent-after: 120ms, priority: 1}");

  private final List<String> statusDue = new ArrayList<>();
  private final List<Event> alarmsDue = new ArrayList<>();

  /** Off in a third of the histories. */
  static StatusPlan plan(Random random, WindowSpec spec) {
    if (random.nextInt(3) == 0) {
      return StatusPlan.OFF;
    }
    boolean tells = random.nextInt(4) > 0;
    List<String> rules = new ArrayList<>();
    for (String rule : RULES) {
      if (random.nextBoolean()) {
        rules.add(rule);
      }
    }
    return new StatusPlan(
        tells,
        30 + random.nextInt(90),
        rules.isEmpty() ? Rules.NONE : RulesText.of(spec.sizeMs(), rules),
        spec.sizeMs(),
        GroupTemplate.DEFAULT);
  }

  NaiveStatus oracle(StatusPlan plan) {
    return plan.isOn() ? new NaiveStatus(plan, statusDue::add, alarmsDue::add) : null;
  }

  /** Everything that was sent since the last check, and nothing else, was due. */
  void check(WeirDriver weir) {
    List<String> status = new ArrayList<>();
    for (Map.Entry<String, SensorStatus> record : weir.statuses()) {
      status.add(record.getValue() == null ? record.getKey() : line(record.getValue()));
    }
    assertThat(status).containsExactlyInAnyOrderElementsOf(statusDue);
    statusDue.clear();
    assertThat(weir.events()).containsExactlyInAnyOrderElementsOf(alarmsDue);
    alarmsDue.clear();
  }

  private static String line(SensorStatus status) {
    return NaiveStatus.statusLine(
        status.getSensorId(),
        status.getState().name().substring("SENSOR_STATE_".length()),
        status.getSinceMs(),
        status.getLastTimestampMs(),
        status.getGatewayId(),
        status.getAlarmsList().stream().map(RandomStatus::line).toList());
  }

  private static String line(AlarmState alarm) {
    return NaiveStatus.stateLine(
        alarm.getRule(),
        alarm.getLevel(),
        alarm.getActive(),
        alarm.getSinceMs(),
        alarm.getValue(),
        alarm.getPriority());
  }
}
