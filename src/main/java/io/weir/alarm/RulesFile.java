package io.weir.alarm;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A file of rules, in YAML, checked whole. Numbers and durations are held against the size of a
 * window. Nothing in it is run or built: it is read as plain text, lists and maps.
 */
public final class RulesFile {
  private static final int MAX_BYTES = 1 << 20;

  /** Rules need four; each takes a part of the stack. */
  private static final int MAX_DEPTH = 20;

  /** Ids are shorter, and so are numbers that a person writes. */
  private static final int MAX_VALUE_LENGTH = 1000;

  /**
   * Each sensor may have all of them: with the longest names they make an entry of the changelog of
   * 165,000 bytes, twice that while those of a former file are still to be cleared. A record holds
   * a million.
   */
  static final int MOST_CONDITIONS = 1_000;

  /** Bits of an int. */
  private static final int MOST_SILENCES = 31;

  private RulesFile() {}

  /**
   * The rules in a file.
   *
   * @param windowSizeMs length of the windows that the rules are held against
   * @throws RulesException with one line that names file, place, rule, field and what is allowed
   */
  public static Rules read(Path file, long windowSizeMs) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new RulesException(file + ": it is larger than 1 MiB");
      }
      return parse(file.toString(), Files.readString(file), windowSizeMs);
    } catch (NoSuchFileException e) {
      throw new RulesException(file + ": no such file");
    } catch (CharacterCodingException e) {
      throw new RulesException(file + ": it is not UTF-8");
    } catch (IOException e) {
      throw new RulesException(file + ": it cannot be read: " + e.getMessage());
    }
  }

  /**
   * The rules in a text.
   *
   * @param name of the file, for messages
   * @throws RulesException as above
   */
  static Rules parse(String name, String yaml, long windowSizeMs) {
    Node root = compose(name, yaml);
    List<Condition> conditions = new ArrayList<>();
    RuleNode file = RuleNode.map(name, root);
    file.allow("rules");
    Set<String> names = new HashSet<>();
    for (Node each : file.list("rules")) {
      RuleNode rule = RuleNode.map(name, each);
      List<Condition> own = RuleParser.conditions(rule, windowSizeMs);
      if (!names.add(own.get(0).rule())) {
        throw rule.wrong("name", "another rule has that name; allowed is a name of its own");
      }
      conditions.addAll(own);
      if (conditions.size() > MOST_CONDITIONS) {
        throw rule.wrong(
            "name",
            "allowed are up to "
                + MOST_CONDITIONS
                + " conditions in a file: limits, deviations and silences of all its rules");
      }
    }
    Rules rules = new Rules(conditions);
    if (rules.silencesMs().size() > MOST_SILENCES) {
      throw new RulesException(
          name + ": silent-after: allowed are up to " + MOST_SILENCES + " different durations");
    }
    return rules;
  }

  private static Node compose(String name, String yaml) {
    try {
      LoadSettings settings = LoadSettings.builder().setAllowRecursiveKeys(false).build();
      requireSmall(name, new Parse(settings).parseString(yaml));
      return new Compose(settings)
          .composeString(yaml)
          .orElseThrow(() -> new RulesException(name + ": it is empty; allowed is rules: [...]"));
    } catch (MarkedYamlEngineException e) {
      String place = e.getProblemMark().map(RulesFile::place).orElse("");
      throw new RulesException(name + place + ": no YAML: " + e.getProblem());
    } catch (YamlEngineException e) {
      throw new RulesException(
          name + ": no YAML: " + String.valueOf(e.getMessage()).replaceAll("\\s+", " "));
    }
  }

  /** Refuses what is not to be read as a whole: it would take the stack, or the time. */
  private static void requireSmall(String name, Iterable<Event> events) {
    int depth = 0;
    for (Event event : events) {
      if (event instanceof CollectionStartEvent) {
        depth++;
      } else if (event instanceof CollectionEndEvent) {
        depth--;
      }
      boolean isLong =
          event instanceof ScalarEvent scalar && scalar.getValue().length() > MAX_VALUE_LENGTH;
      if (depth > MAX_DEPTH || isLong) {
        throw new RulesException(
            name
                + event.getStartMark().map(RulesFile::place).orElse("")
                + (isLong
                    ? ": a value is longer than " + MAX_VALUE_LENGTH + " characters"
                    : ": lists and maps are nested more than " + MAX_DEPTH + " deep"));
      }
    }
  }

  private static String place(Mark mark) {
    return ", line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1);
  }
}
