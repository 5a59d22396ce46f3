package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.internal.alarm.Condition;
import io.weir.internal.alarm.Rules;
import io.weir.internal.app.ConfigException;
import io.weir.internal.app.EventKeys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.app.WindowKeys;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir rules check}: validates a file of rules. */
@Command(
    name = "check",
    description = "Check a file of rules as weir run does at startup.",
    footer = {
      "",
      "Prints the condition of each rule. For an invalid rule prints one line with file, place,",
      "rule, field and expected values, and exits with status 2.",
      "",
      "Examples:",
      "  weir rules check rules.yaml",
      "  weir rules check --config /etc/weir/weir.properties rules.yaml"
    })
final class RulesCheckCommand implements Callable<Integer>, ConfigOptions.Configured {
  private final ConfigOptions configOptions =
      new ConfigOptions(WindowKeys.WINDOW_SIZE, WindowKeys.SENSOR_TTL, EventKeys.SILENT_AFTER);

  @Parameters(paramLabel = "RULES", description = "The file of rules, in YAML.")
  private String file;

  @Override
  public ConfigOptions configOptions() {
    return configOptions;
  }

  @Override
  public Integer call() {
    Rules rules = config(configOptions, file).status().plan().rules();
    Results out = Results.standard();
    for (Condition condition : rules.conditions()) {
      out.line(describe(condition));
    }
    out.line("%s: %d rules, all valid".formatted(file, rules.count()));
    out.flush();
    return 0;
  }

  /**
   * The settings with a file of rules.
   *
   * @throws ConfigException if a setting or rule is invalid
   */
  static WeirConfig config(ConfigOptions options, String file) {
    return options.load(
        Map.of(
            EventKeys.RULES_FILE.name(),
            file,
            EventKeys.STATUS.name(),
            "true",
            EventKeys.EVENTS.name(),
            "true"));
  }

  private static String describe(Condition condition) {
    return String.format(
        Locale.ROOT,
        "  %s: %s %s of %s, priority %d",
        condition.rule(),
        condition.level().text(),
        switch (condition.level()) {
          case SILENT -> (long) condition.limit() + " ms";
          case DEVIATION ->
              condition.limit() + " sigmas over " + condition.baseline().windows() + " windows";
          default -> Double.toString(condition.limit());
        },
        condition.sensors().text(),
        condition.priority());
  }
}
