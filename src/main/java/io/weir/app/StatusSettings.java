package io.weir.app;

import io.weir.alarm.Condition;
import io.weir.alarm.GroupTemplate;
import io.weir.alarm.Level;
import io.weir.alarm.Rules;
import io.weir.alarm.RulesFile;
import io.weir.alarm.StatusPlan;
import io.weir.time.DurationText;
import io.weir.yaml.YamlException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings of sensor status and alarms. The file of rules is read where rules are needed, and
 * nowhere else: other commands run where it is not.
 *
 * @param sendsStatus whether weir.status is on
 * @param silentAfter silence after which a sensor is SILENT, shorter than sensorTtl
 * @param rulesFile where rules are
 * @param group the group of a sensor
 * @param windowSize length of the windows that rules are held against
 * @param sensorTtl silence after which a sensor is forgotten
 */
public record StatusSettings(
    boolean sendsStatus,
    Duration silentAfter,
    Optional<Path> rulesFile,
    GroupTemplate group,
    Duration windowSize,
    Duration sensorTtl) {

  /**
   * @throws ConfigException if some cannot go together
   */
  static StatusSettings of(Settings settings) {
    StatusSettings status =
        new StatusSettings(
            settings.get(EventKeys.STATUS),
            settings.get(EventKeys.SILENT_AFTER),
            settings.find(EventKeys.RULES_FILE),
            settings.get(EventKeys.GROUP),
            settings.get(WindowKeys.WINDOW_SIZE),
            settings.get(WindowKeys.SENSOR_TTL));
    boolean isOn = status.sendsStatus || status.rulesFile.isPresent();
    if (isOn && status.silentAfter.compareTo(status.sensorTtl) >= 0) {
      throw settings.refusal(
          EventKeys.SILENT_AFTER,
          "expected: less than weir.sensor.ttl = " + DurationText.format(status.sensorTtl));
    }
    if (status.rulesFile.isPresent() && !status.sendsStatus && !settings.get(EventKeys.EVENTS)) {
      throw settings.refusal(
          EventKeys.RULES_FILE,
          "its alarms would not be written: allowed with weir.status=true or weir.events=true");
    }
    return status;
  }

  /**
   * As the engine takes them; reads the file of rules.
   *
   * @throws ConfigException if a rule is not allowed, with one line that says which and why
   */
  public StatusPlan plan() {
    Rules rules = rulesFile.map(this::rules).orElse(Rules.NONE);
    return new StatusPlan(sendsStatus, silentAfter.toMillis(), rules, windowSize.toMillis(), group);
  }

  private Rules rules(Path file) {
    Rules rules;
    try {
      rules = RulesFile.read(file, windowSize.toMillis());
    } catch (YamlException e) {
      throw new ConfigException(EventKeys.RULES_FILE.propertyName() + "=" + e.getMessage());
    }
    for (Condition condition : rules.conditions()) {
      if (condition.level() == Level.SILENT && condition.limit() >= sensorTtl.toMillis()) {
        throw new ConfigException(
            "%s=%s: rule %s: silent-after: expected: less than weir.sensor.ttl = %s"
                .formatted(
                    EventKeys.RULES_FILE.propertyName(),
                    file,
                    condition.rule(),
                    DurationText.format(sensorTtl)));
      }
    }
    return rules;
  }
}
