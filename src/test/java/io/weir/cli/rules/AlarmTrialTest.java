package io.weir.cli.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.alarm.AlarmTransition;
import io.weir.internal.alarm.GroupTemplate;
import io.weir.internal.alarm.KeptStatus;
import io.weir.internal.alarm.RulesText;
import io.weir.internal.alarm.StatusPlan;
import io.weir.internal.alarm.StatusSink;
import io.weir.internal.window.SensorWindows;
import io.weir.internal.window.WindowSpec;
import io.weir.reading.Reading;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AlarmTrialTest {
  private final List<String> printed = new ArrayList<>();

  private final AlarmTrial trial =
      new AlarmTrial(
          WindowSpec.of(10_000, 5_000, 0, 30_000, WindowSpec.IdleRule.ENDED, 86_400_000),
          new StatusPlan(
              true,
              300_000,
              RulesText.of(
                  10_000,
                  "{name: hot, sensors: '*', high: 95, deadband: 2, on-delay: 20s}",
                  "{name: quiet, sensors: '*', silent-after: 1m}"),
              10_000,
              GroupTemplate.DEFAULT),
          new StatusSink() {
            @Override
            public void status(SensorWindows sensor, KeptStatus status) {}

            @Override
            public void transitioned(SensorWindows sensor, AlarmTransition transition) {
              printed.add(
                  sensor.name()
                      + " "
                      + transition.alarm().rule()
                      + " "
                      + transition.cause().text()
                      + " "
                      + transition.alarm().sinceMs());
            }

            @Override
            public void gone(SensorWindows sensor) {}
          });

  private void at(long second, String sensor, double value) {
    trial.take(new Reading(sensor, second * 1000, value));
  }

  @Test
  void recording_isJudgedByItsOwnTime() {
    for (long second = 0; second < 60; second += 5) {
      at(second, "a", second < 30 ? 96 : 90);
      at(second, "b", 1);
    }
    at(600, "b", 1);
    assertThat(printed)
        .containsExactly(
            "a hot exceeded 20000",
            "a hot inside 40000",
            "a quiet exceeded 115000",
            "b quiet exceeded 115000",
            "b quiet speaks 600000");
  }

  /** A day and the 30 days of its mark. */
  @Test
  void sensorThatIsSilentForLong_isPurged_andTheOthersGoOn() {
    at(0, "a", 1);
    for (long day = 0; day < 33; day++) {
      at(day * 86_400 + 1, "b", 1);
    }
    at(33 * 86_400, "a", 1);
    assertThat(printed).contains("a quiet exceeded 61000", "b quiet speaks 2764801000");
  }

  @Test
  void windowsThatAreOpenAtTheEnd_mayRaise() {
    at(0, "a", 99);
    at(11, "a", 99);
    trial.end();
    assertThat(printed).containsExactly("a hot exceeded 20000");
  }
}
