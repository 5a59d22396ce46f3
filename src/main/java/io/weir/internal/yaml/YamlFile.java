package io.weir.internal.yaml;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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
 * A YAML file with a list of entries. It is read as text, lists and maps: no tag creates an object,
 * and content that is too large or too deep is refused before it uses memory or stack.
 */
public final class YamlFile {
  /** The maximum size of a file. */
  public static final int MAX_BYTES = 1 << 20;

  /** Entries need four levels; each level uses stack. */
  private static final int MAX_DEPTH = 20;

  /** Ids and hand-written numbers are shorter. */
  private static final int MAX_VALUE_LENGTH = 1000;

  private final String name;
  private final String kind;
  private final String nameField;
  private final Node root;

  private YamlFile(String name, String kind, String nameField, String yaml) {
    this.name = name;
    this.kind = kind;
    this.nameField = nameField;
    this.root = compose(name, kind + "s", yaml);
  }

  /**
   * Reads a file.
   *
   * @param kind the noun for an entry, in the singular
   * @param nameField the field that names an entry, for messages
   * @throws YamlException in one line with file, place and cause
   */
  public static YamlFile read(Path file, String kind, String nameField) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new YamlException(file + ": the file is larger than 1 MiB");
      }
      return parse(file.toString(), Files.readString(file), kind, nameField);
    } catch (NoSuchFileException e) {
      throw new YamlException(file + ": no such file");
    } catch (CharacterCodingException e) {
      throw new YamlException(file + ": the file is not UTF-8");
    } catch (IOException e) {
      throw new YamlException(file + ": cannot read the file: " + e.getMessage());
    }
  }

  /**
   * Parses the text of a file.
   *
   * @param name name of the file, for messages
   * @throws YamlException as above
   */
  public static YamlFile parse(String name, String yaml, String kind, String nameField) {
    return new YamlFile(name, kind, nameField, yaml);
  }

  /** The root map of the file. */
  public YamlMap root() {
    return YamlMap.of(this, root);
  }

  /** The file's name. */
  public String name() {
    return name;
  }

  String kind() {
    return kind;
  }

  String nameField() {
    return nameField;
  }

  private static Node compose(String name, String allowed, String yaml) {
    try {
      LoadSettings settings = LoadSettings.builder().setAllowRecursiveKeys(false).build();
      requireSmall(name, new Parse(settings).parseString(yaml));
      return new Compose(settings)
          .composeString(yaml)
          .orElseThrow(
              () ->
                  new YamlException(
                      name + ": the file is empty; expected: " + allowed + ": [...]"));
    } catch (MarkedYamlEngineException e) {
      String place = e.getProblemMark().map(YamlFile::place).orElse("");
      throw new YamlException(name + place + ": not valid YAML: " + e.getProblem());
    } catch (YamlEngineException e) {
      throw new YamlException(
          name + ": not valid YAML: " + String.valueOf(e.getMessage()).replaceAll("\\s+", " "));
    }
  }

  /** Refuses content that would use too much stack or time. */
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
        throw new YamlException(
            name
                + event.getStartMark().map(YamlFile::place).orElse("")
                + (isLong
                    ? ": a value is longer than " + MAX_VALUE_LENGTH + " characters"
                    : ": lists and maps are nested more than " + MAX_DEPTH + " deep"));
      }
    }
  }

  static String place(Mark mark) {
    return ", line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1);
  }
}
