package io.weir.signing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A file of {@code name=value} lines; {@code #} begins a comment. An error names file and line, but
 * no value, which may be secret.
 */
final class KeyFile {
  private record Line(int number, String value) {}

  private final Path file;
  private final Map<String, Line> lines;

  private KeyFile(Path file, Map<String, Line> lines) {
    this.file = file;
    this.lines = lines;
  }

  /**
   * @param allowed the allowed names, each once
   * @throws IllegalArgumentException if a line is invalid
   */
  static KeyFile read(Path file, Predicate<String> allowed) throws IOException {
    Map<String, Line> lines = new LinkedHashMap<>();
    List<String> texts = Files.readAllLines(file);
    for (int i = 0; i < texts.size(); i++) {
      String text = texts.get(i).strip();
      if (text.isEmpty() || text.startsWith("#")) {
        continue;
      }
      int equals = text.indexOf('=');
      if (equals < 0) {
        throw refusal(file, i + 1, "expected: name=value");
      }
      String name = text.substring(0, equals).strip();
      if (!allowed.test(name)) {
        // Do not quote the text: it may be a misplaced secret.
        throw refusal(file, i + 1, "the name before = is not allowed here");
      }
      if (lines.put(name, new Line(i + 1, text.substring(equals + 1).strip())) != null) {
        throw refusal(file, i + 1, name + " is set twice");
      }
    }
    return new KeyFile(file, lines);
  }

  Set<String> names() {
    return lines.keySet();
  }

  boolean has(String name) {
    return lines.containsKey(name);
  }

  /** A required, non-empty value. */
  String require(String name) {
    Line line = lines.get(name);
    if (line == null || line.value().isEmpty()) {
      throw new IllegalArgumentException(file + ": " + name + " is missing");
    }
    return line.value();
  }

  /** The same, parsed; an error of the parser names the line. */
  <T> T parsed(String name, Function<String, T> parser) {
    String value = require(name);
    try {
      return parser.apply(value);
    } catch (IllegalArgumentException e) {
      throw refusal(file, lines.get(name).number(), name + ": " + e.getMessage());
    }
  }

  /** Bytes written in base64; the decoder's own messages would quote a secret. */
  static byte[] base64(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("not base64");
    }
  }

  private static IllegalArgumentException refusal(Path file, int line, String why) {
    return new IllegalArgumentException(file + " line " + line + ": " + why);
  }
}
