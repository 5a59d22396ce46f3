package io.weir.internal.input;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Makes sensor ids: text with parts in braces. {@code {part|text}} has a default, {@code [...]} is
 * left out if a part inside it is missing, and a backslash takes the meaning of {@code { } [ ] |}
 * and of itself. Immutable.
 */
public final class SensorTemplate {
  /** No longer id is ever allowed; one that is longer is cut behind this. */
  private static final int MOST = 4_096;

  private final String text;
  private final List<Piece> pieces;

  private SensorTemplate(String text, List<Piece> pieces) {
    this.text = text;
    this.pieces = pieces;
  }

  /** The parts of one series. */
  @FunctionalInterface
  public interface Parts {
    /**
     * The value of a part.
     *
     * @param argument what follows the colon; empty for none
     * @return null or empty if it is missing
     */
    String value(String name, String argument);
  }

  private sealed interface Piece {
    /** Appends to an id; false if a part is missing. */
    boolean append(Parts parts, StringBuilder id);
  }

  private record Text(String text) implements Piece {
    @Override
    public boolean append(Parts parts, StringBuilder id) {
      id.append(text);
      return true;
    }
  }

  private record Part(String name, String argument, String orElse) implements Piece {
    @Override
    public boolean append(Parts parts, StringBuilder id) {
      String value = parts.value(name, argument);
      boolean missing = value == null || value.isEmpty();
      if (missing && orElse == null) {
        return false;
      }
      String text = missing ? orElse : value;
      id.append(text, 0, Math.min(text.length(), MOST + 1));
      return true;
    }
  }

  private record Optional(List<Piece> pieces) implements Piece {
    @Override
    public boolean append(Parts parts, StringBuilder id) {
      int length = id.length();
      for (Piece piece : pieces) {
        if (!piece.append(parts, id)) {
          id.setLength(length);
          return true;
        }
      }
      return true;
    }
  }

  /**
   * Parses a template.
   *
   * @param allowed the names of parts; one that takes an argument ends with a colon
   * @throws IllegalArgumentException with one line that says what is expected
   */
  public static SensorTemplate parse(String text, Set<String> allowed) {
    return new SensorTemplate(text, new Parser(text, allowed).parse());
  }

  /**
   * The id of a series; empty if a part of it is missing. One that is too long to be allowed may be
   * cut, and is still too long: a part may have megabytes, and come for each reading.
   */
  public String id(Parts parts) {
    StringBuilder id = new StringBuilder();
    for (Piece piece : pieces) {
      if (!piece.append(parts, id)) {
        return "";
      }
    }
    return id.toString();
  }

  @Override
  public String toString() {
    return text;
  }

  private static final class Parser {
    private final String text;
    private final Set<String> allowed;
    private int at;

    Parser(String text, Set<String> allowed) {
      this.text = text;
      this.allowed = allowed;
    }

    List<Piece> parse() {
      List<Piece> pieces = pieces(false);
      if (pieces.isEmpty()) {
        throw wrong();
      }
      return pieces;
    }

    private List<Piece> pieces(boolean inside) {
      List<Piece> pieces = new ArrayList<>();
      while (at < text.length() && !(inside && text.charAt(at) == ']')) {
        switch (text.charAt(at)) {
          case '{' -> pieces.add(part());
          case '[' -> pieces.add(optional(inside));
          case '}', ']', '|' -> throw wrong();
          default -> pieces.add(new Text(textUntil("{}[]|")));
        }
      }
      return List.copyOf(pieces);
    }

    private Piece optional(boolean inside) {
      if (inside) {
        throw wrong();
      }
      at++;
      List<Piece> pieces = pieces(true);
      if (at++ == text.length()) {
        throw wrong();
      }
      return new Optional(pieces);
    }

    private Piece part() {
      at++;
      String name = textUntil("{}[]|:");
      String argument = "";
      if (at < text.length() && text.charAt(at) == ':') {
        at++;
        argument = textUntil("{}[]|");
        if (argument.isEmpty()) {
          throw wrong();
        }
      }
      String orElse = null;
      if (at < text.length() && text.charAt(at) == '|') {
        at++;
        orElse = textUntil("{}[]|");
      }
      boolean known = allowed.contains(argument.isEmpty() ? name : name + ":");
      if (at == text.length() || text.charAt(at) != '}' || !known) {
        throw wrong();
      }
      at++;
      return new Part(name, argument, orElse);
    }

    private String textUntil(String ends) {
      StringBuilder found = new StringBuilder();
      while (at < text.length() && ends.indexOf(text.charAt(at)) < 0) {
        boolean escapes =
            text.charAt(at) == '\\'
                && at + 1 < text.length()
                && "{}[]|\\".indexOf(text.charAt(at + 1)) >= 0;
        at += escapes ? 1 : 0;
        found.append(text.charAt(at++));
      }
      return found.toString();
    }

    private IllegalArgumentException wrong() {
      return new IllegalArgumentException(
          text
              + ": expected: text with parts in braces ("
              + String.join(", ", allowed.stream().sorted().toList())
              + "), each followed by | and a default where it may be missing, or in brackets");
    }
  }
}
