package io.weir.internal.text.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a sensor is named: text with these in it, each replaced.
 *
 * <ul>
 *   <li>{@code {file}}: the file's name without directory, {@code .gz} and extension
 *   <li>{@code {column}}: the name of the column, or of the JSON member, that holds the value
 *   <li>{@code {column:NAME}}: what the line has in another column
 *   <li>{@code {path:$.a.b}}: what the JSON has there
 *   <li>{@code {key}}, {@code {key:$.id}} of a JSON key, {@code {topic}}, {@code {topic:N}}, {@code
 *       {partition}}, {@code {header:NAME}}: of a record in Kafka, where the text is one
 * </ul>
 */
public final class IdTemplate {
  private static final Pattern PART =
      Pattern.compile(
          "\\{(?<name>file|column)\\}|\\{column:(?<column>[^{}]+)\\}|\\{path:(?<path>[^{}]+)\\}"
              + "|\\{(?<record>key|key:\\$[^{}]*|topic|topic:-?[1-9][0-9]?|partition|header:[^{}]+)\\}"
              + "|(?<text>[^{}]+)");

  /** What a part is replaced by. */
  public enum Kind {
    TEXT,
    FILE,
    VALUE_COLUMN,
    COLUMN,
    PATH,
    RECORD
  }

  /**
   * A piece of the template.
   *
   * @param argument the text itself, the column's name, the path or the part of the record; empty
   *     for the others
   */
  public record Part(Kind kind, String argument) {}

  private final List<Part> parts;

  private IdTemplate(List<Part> parts) {
    this.parts = List.copyOf(parts);
  }

  /**
   * The template that a text spells.
   *
   * @throws IllegalArgumentException where it is empty or has a brace that belongs to none of the
   *     above
   */
  public static IdTemplate parse(String text) {
    List<Part> parts = new ArrayList<>();
    Matcher matcher = PART.matcher(text);
    int at = 0;
    while (matcher.lookingAt()) {
      parts.add(part(matcher));
      at = matcher.end();
      matcher.region(at, text.length());
    }
    if (at < text.length() || parts.isEmpty()) {
      throw new IllegalArgumentException(
          "expected: text with {file}, {column}, {column:NAME} and {path:$.a.b} in it");
    }
    return new IdTemplate(parts);
  }

  private static Part part(Matcher matched) {
    if (matched.group("text") != null) {
      return new Part(Kind.TEXT, matched.group("text"));
    }
    if (matched.group("column") != null) {
      return new Part(Kind.COLUMN, matched.group("column"));
    }
    if (matched.group("path") != null) {
      return new Part(Kind.PATH, JsonPath.parse(matched.group("path")).toString());
    }
    if (matched.group("record") != null) {
      if (matched.group("record").startsWith("key:")) {
        JsonPath.parse(matched.group("record").substring("key:".length())); // Says what is wrong.
      }
      return new Part(Kind.RECORD, matched.group("record"));
    }
    return new Part(matched.group("name").equals("file") ? Kind.FILE : Kind.VALUE_COLUMN, "");
  }

  public List<Part> parts() {
    return parts;
  }
}
