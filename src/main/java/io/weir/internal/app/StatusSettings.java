package io.weir.internal.app;

import io.weir.internal.alarm.Condition;
import io.weir.internal.alarm.GroupTemplate;
import io.weir.internal.alarm.Level;
import io.weir.internal.alarm.Rules;
import io.weir.internal.alarm.RulesFile;
import io.weir.internal.alarm.StatusPlan;
import io.weir.internal.time.DurationText;
import io.weir.internal.yaml.YamlException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings of sensor status and alarms. Only commands that need the rules read their file: others
 * run without it.
 *
 * @param sendsStatus whether weir.status is enabled
 * @param silentAfter inactivity after which a sensor is SILENT, less than sensorTtl
 * @param rulesFile file of alarm rules
 * @param group the group of a sensor
 * @param windowSize length of the windows that rules evaluate
 * @param sensorTtl inactivity after which the state of a sensor expires
 */
public record StatusSettings(
    boolean sendsStatus,
    Duration silentAfter,
    Optional<Path> rulesFile,
    GroupTemplate group,
    Duration windowSize,
    Duration sensorTtl) {

  /**
   * @throws ConfigException if settings conflict
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
          "expected: weir.status=true or weir.events=true; otherwise alarms are not written");
    }
    return status;
  }

  /**
   * The plan for the engine; reads the file of rules.
   *
   * @throws ConfigException if a rule is invalid
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
