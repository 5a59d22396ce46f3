package io.weir.internal.alarm;

import io.weir.internal.yaml.YamlException;
import io.weir.internal.yaml.YamlFile;
import io.weir.internal.yaml.YamlMap;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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
}
