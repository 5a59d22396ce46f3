package io.weir.internal.registry;

import com.google.protobuf.Descriptors.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Texts of .proto files: those of Weir, which are beside its classes, and whether two say the same.
 */
final class ProtoText {
  private static final String OWN = "weir/v1/";

  private static final int MAX_TEXT = 1 << 20;
  private static final int MAX_DEPTH = 100;

  /** A comment, a string, a word or number, or a sign. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "//[^\n]*+|/\\*.*?\\*/|\"(?:[^\"\\\\]|\\\\.)*+\"|'(?:[^'\\\\]|\\\\.)*+'|[\\w.]++|\\S",
          Pattern.DOTALL);

  private final List<String> tokens = new ArrayList<>();
  private int at;

  private ProtoText(String text) {
    Matcher token = TOKEN.matcher(text);
    while (token.find()) {
      if (!token.group().startsWith("//") && !token.group().startsWith("/*")) {
        tokens.add(token.group());
      }
    }
  }

  /** The text of one of Weir's files; empty for the files of others. */
  static Optional<String> of(FileDescriptor file) {
    if (!file.getFullName().startsWith(OWN)) {
      return Optional.empty();
    }
    try (InputStream in = ProtoText.class.getResourceAsStream("/" + file.getFullName())) {
      return in == null
          ? Optional.empty()
          : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Whether two texts declare the same messages, with the same indexes in the file, fields and
   * enums. Comments, blanks, the order of declarations and the scopes before names of types do not
   * matter: registries and serializers write them differently.
   */
  static boolean areSame(String one, String other) {
    return one.equals(other)
        || Math.max(one.length(), other.length()) <= MAX_TEXT
            && statements(one).equals(statements(other));
  }

  private static String statements(String text) {
    ProtoText file = new ProtoText(text);
    String statements = file.statements(0);
    return file.at < file.tokens.size() ? text : statements; // Too deep, or an odd brace.
  }

  /** The statements up to a closing brace, sorted. */
  private String statements(int depth) {
    List<String> statements = new ArrayList<>();
    List<String> words = new ArrayList<>();
    int messages = 0;
    while (at < tokens.size() && depth < MAX_DEPTH) {
      String token = tokens.get(at++);
      if (token.equals("}")) {
        break;
      } else if (token.equals(";")) {
        statements.add(statement(words));
      } else if (token.equals("{")) {
        boolean message = words.size() == 2 && words.get(0).equals("message");
        String index = message ? messages++ + " " : "";
        statements.add(index + statement(words) + " {" + statements(depth + 1) + "}");
      } else {
        words.add(token.replace('\'', '"'));
      }
    }
    statements.removeIf(String::isEmpty);
    return String.join(";", statements.stream().sorted().toList());
  }

  /** The words of a statement, which it takes; types without their scopes. */
  private static String statement(List<String> words) {
    if (!words.isEmpty() && !List.of("package", "option", "import").contains(words.get(0))) {
      words.replaceAll(
          word ->
              word.startsWith("\"") || word.matches("[.\\d].*\\d.*")
                  ? word
                  : word.substring(word.lastIndexOf('.') + 1));
    }
    String statement = String.join(" ", words);
    words.clear();
    return statement;
  }
}
