package io.weir.internal.alarm;

import io.weir.internal.alarm.BaselineSpec.Of;
import io.weir.internal.time.DurationText;
import io.weir.internal.yaml.YamlException;
import io.weir.internal.yaml.YamlFile;
import io.weir.internal.yaml.YamlMap;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A YAML file of alarm rules. It is checked completely, its durations also against the window size.
 * It can contain only text, lists and maps: no tag creates an object.
 */
public final class RulesFile {
  /**
   * A sensor may have all of them: with the longest names its changelog entry has 165,000 bytes,
   * and twice that while alarms of a previous file are not cleared yet. A record may have a million
   * bytes.
   */
  static final int MOST_CONDITIONS = 1_000;

  /** Bits of an int. */
  private static final int MOST_SILENCES = 31;

  private RulesFile() {}

  /**
   * The rules in a file.
   *
   * @param windowSizeMs length of the windows that the rules judge
   * @throws YamlException with one line that names the file, line, rule, field and expected values
   */
  public static Rules read(Path file, long windowSizeMs) {
    return rules(YamlFile.read(file, "rule", "name"), windowSizeMs);
  }

  /**
   * The rules in a text.
   *
   * @param name name of the file, for messages
   * @throws YamlException as above
   */
  public static Rules parse(String name, String yaml, long windowSizeMs) {
    return rules(YamlFile.parse(name, yaml, "rule", "name"), windowSizeMs);
  }

  private static Rules rules(YamlFile yaml, long windowSizeMs) {
    List<Condition> conditions = new ArrayList<>();
    YamlMap file = yaml.root();
    file.allow("rules");
    Set<String> names = new HashSet<>();
    for (YamlMap rule : file.maps("rules")) {
      List<Condition> parsed = RuleParser.conditions(rule, windowSizeMs);
      if (!names.add(parsed.get(0).rule())) {
        throw rule.wrong("name", "another rule has that name; expected: a unique name");
      }
      conditions.addAll(parsed);
      if (conditions.size() > MOST_CONDITIONS) {
        throw rule.wrong(
            "name",
            "expected: up to "
                + MOST_CONDITIONS
                + " conditions in a file: limits, deviations and silences of all its rules");
      }
    }
    Rules rules = new Rules(conditions);
    if (rules.silencesMs().size() > MOST_SILENCES) {
      throw new YamlException(
          yaml.name()
              + ": silent-after: expected: up to "
              + MOST_SILENCES
              + " different durations");
    }
    return rules;
  }

  /** Parses and checks one rule of a file, as conditions. */
  static final class RuleParser {
    private static final Level[] LIMITS = {Level.LOW_LOW, Level.LOW, Level.HIGH, Level.HIGH_HIGH};

    private static final int MOST_NAME_BYTES = 100;
    private static final Pattern PRIORITY = Pattern.compile("\\d");
    private static final String DEFAULT_PRIORITY = "5";
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private final YamlMap rule;
    private final long windowSizeMs;
    private final String name;
    private final SensorGlob sensors;
    private final int priority;

    private RuleParser(YamlMap rule, long windowSizeMs) {
      this.rule = rule;
      this.windowSizeMs = windowSizeMs;
      rule.allow(
          "name",
          "sensors",
          "low-low",
          "low",
          "high",
          "high-high",
          "deadband",
          "on-delay",
          "on-delay-gap",
          "priority",
          "deviation",
          "silent-after");
      name = name();
      sensors = sensors();
      priority = priority();
    }

    /** The conditions of a rule: limits, a deviation, or silence. */
    static List<Condition> conditions(YamlMap rule, long windowSizeMs) {
      return new RuleParser(rule, windowSizeMs).conditions();
    }

    private List<Condition> conditions() {
      List<Level> limits = new ArrayList<>();
      for (Level level : LIMITS) {
        if (rule.has(level.text())) {
          limits.add(level);
        }
      }
      int kinds =
          (limits.isEmpty() ? 0 : 1)
              + (rule.has(Level.DEVIATION.text()) ? 1 : 0)
              + (rule.has(Level.SILENT.text()) ? 1 : 0);
      if (kinds != 1) {
        throw rule.wrong(
            "name",
            "expected: one of: limits (low-low, low, high, high-high), deviation, silent-after");
      }
      if (rule.has(Level.SILENT.text())) {
        return List.of(silence());
      }
      return rule.has(Level.DEVIATION.text()) ? List.of(deviation()) : limits(limits);
    }

    private String name() {
      String text = rule.text("name", "a name of up to 100 bytes");
      int bytes = text.getBytes(StandardCharsets.UTF_8).length;
      if (text.isBlank() || bytes > MOST_NAME_BYTES || CONTROL.matcher(text).find()) {
        throw rule.wrong("name", "expected: a name of 1 to 100 bytes on one line");
      }
      return text;
    }

    private SensorGlob sensors() {
      String text = rule.text("sensors", "a pattern such as \"boiler-*/temperature\"");
      if (text.isEmpty()) {
        throw rule.wrong("sensors", "expected: a pattern such as \"boiler-*/temperature\"");
      }
      return new SensorGlob(text);
    }

    private int priority() {
      String text = rule.find("priority").orElse(DEFAULT_PRIORITY);
      if (!PRIORITY.matcher(text).matches()) {
        throw rule.wrong("priority", "expected: 0, the most urgent, to 9");
      }
      return Integer.parseInt(text);
    }

    private List<Condition> limits(List<Level> levels) {
      double deadband = rule.distance("deadband");
      long onDelayMs = onDelayMs();
      long onDelayGapMs = onDelayGapMs();
      List<Condition> conditions = new ArrayList<>();
      double before = Double.NEGATIVE_INFINITY;
      for (Level level : levels) {
        double limit = rule.number(level.text()).orElseThrow();
        if (limit <= before) {
          throw rule.wrong(level.text(), "expected: more than the next lower limit");
        }
        before = limit;
        conditions.add(
            new Condition(
                name, level, sensors, limit, deadband, onDelayMs, onDelayGapMs, priority, 0, null));
      }
      return conditions;
    }

    private long onDelayMs() {
      return rule.duration("on-delay").orElse(Duration.ZERO).toMillis();
    }

    private long onDelayGapMs() {
      if (rule.has("on-delay-gap") && !rule.has("on-delay")) {
        throw rule.wrong("on-delay-gap", "not allowed without on-delay");
      }
      return rule.duration("on-delay-gap").orElse(Duration.ofMillis(windowSizeMs)).toMillis();
    }

    private Condition silence() {
      for (String field : List.of("deadband", "on-delay", "on-delay-gap")) {
        if (rule.has(field)) {
          throw rule.wrong(field, "not allowed with silent-after");
        }
      }
      long afterMs = rule.duration(Level.SILENT.text()).orElseThrow().toMillis();
      if (afterMs <= 0) {
        throw rule.wrong(Level.SILENT.text(), "expected: a duration of 1ms or more");
      }
      return new Condition(name, Level.SILENT, sensors, afterMs, 0, 0, 0, priority, 0, null);
    }

    private Condition deviation() {
      YamlMap deviation = rule.map(Level.DEVIATION.text());
      deviation.allow("of", "baseline", "sigmas", "at-least");
      OptionalDouble sigmas = number(deviation, "sigmas");
      if (sigmas.isEmpty() || sigmas.getAsDouble() <= 0) {
        throw rule.wrong(Level.DEVIATION.text(), "sigmas: expected: a number above 0");
      }
      double atLeast = number(deviation, "at-least").orElse(0);
      if (atLeast < 0) {
        throw rule.wrong(Level.DEVIATION.text(), "at-least: expected: 0 or more");
      }
      return new Condition(
          name,
          Level.DEVIATION,
          sensors,
          sigmas.getAsDouble(),
          rule.distance("deadband"),
          onDelayMs(),
          onDelayGapMs(),
          priority,
          atLeast,
          baseline(deviation));
    }

    private OptionalDouble number(YamlMap deviation, String field) {
      try {
        return deviation.number(field);
      } catch (YamlException e) {
        throw rule.wrong(Level.DEVIATION.text(), field + ": expected: a number");
      }
    }

    private BaselineSpec baseline(YamlMap deviation) {
      String value = deviation.find("of").orElse("mean");
      if (!List.of("min", "max", "mean").contains(value)) {
        throw rule.wrong(Level.DEVIATION.text(), "of=" + value + ": expected: min, max or mean");
      }
      String text = deviation.find("baseline").orElse("the field is missing");
      long leastMs = windowSizeMs * BaselineSpec.LEAST_WINDOWS;
      long mostMs = windowSizeMs * BaselineSpec.MOST_WINDOWS;
      long baselineMs;
      try {
        baselineMs = DurationText.parse(text).toMillis();
      } catch (IllegalArgumentException e) {
        baselineMs = 0;
      }
      if (baselineMs < leastMs || baselineMs > mostMs) {
        throw rule.wrong(
            Level.DEVIATION.text(),
            "baseline="
                + text
                + ": expected: 10 to 10000 windows, "
                + DurationText.format(Duration.ofMillis(leastMs))
                + " to "
                + DurationText.format(Duration.ofMillis(mostMs)));
      }
      return new BaselineSpec(
          Of.valueOf(value.toUpperCase(Locale.ROOT)), (int) (baselineMs / windowSizeMs));
    }
  }
}
