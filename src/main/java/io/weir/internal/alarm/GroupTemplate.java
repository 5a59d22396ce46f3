package io.weir.internal.alarm;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The template of a sensor's group: text in which <code>{1}</code>, <code>{2}</code> ... are
 * replaced by the parts of the sensor id between slashes, from <code>{1}</code>. A missing part is
 * empty. If the result is empty, the group is the sensor id. Immutable.
 */
public final class GroupTemplate {
  private static final Pattern PIECE = Pattern.compile("\\{([1-9]\\d?)\\}|([^{}]+)");

  /** The first part: {@code boiler-3} for {@code boiler-3/temperature}. */
  public static final GroupTemplate DEFAULT = parse("{1}");

  private final String text;
  private final List<Piece> pieces;

  /** The number of a part, from 1; or text, if it is 0. */
  private record Piece(int part, String text) {}

  private GroupTemplate(String text, List<Piece> pieces) {
    this.text = text;
    this.pieces = pieces;
  }

  /**
   * Parses a template.
   *
   * @throws IllegalArgumentException if it is empty or has another brace
   */
  public static GroupTemplate parse(String text) {
    List<Piece> pieces = new ArrayList<>();
    Matcher piece = PIECE.matcher(text);
    int at = 0;
    while (piece.lookingAt()) {
      pieces.add(
          piece.group(1) == null
              ? new Piece(0, piece.group(2))
              : new Piece(Integer.parseInt(piece.group(1)), ""));
      at = piece.end();
      piece.region(at, text.length());
    }
    if (at < text.length() || pieces.isEmpty()) {
      throw new IllegalArgumentException(text + ": expected: text with {1}, {2} ...");
    }
    return new GroupTemplate(text, List.copyOf(pieces));
  }

  /** The group of a sensor. */
  public String groupOf(String sensorId) {
    String[] parts = sensorId.split("/", -1);
    StringBuilder group = new StringBuilder();
    for (Piece piece : pieces) {
      if (piece.part() == 0) {
        group.append(piece.text());
      } else if (piece.part() <= parts.length) {
        group.append(parts[piece.part() - 1]);
      }
    }
    return group.isEmpty() ? sensorId : group.toString();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GroupTemplate template && template.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The original text. */
  @Override
  public String toString() {
    return text;
  }
}
