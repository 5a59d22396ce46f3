package io.weir.internal.registry;

import io.weir.internal.wire.MessageIndexes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Finds only the messages of a .proto text: it skips comments and strings, and counts braces.
 * Groups are messages too. One pass, without recursion; messages that are nested too deep or have
 * too long names are skipped.
 */
final class ProtoScanner {
  static final int MAX_NAME = 1_000;
  static final int MAX_MESSAGES = 10_000;

  private static final int MAX_STATEMENT = 16;
  private static final Set<String> VISIBILITY = Set.of("export", "local");

  /**
   * The context of a pair of braces.
   *
   * @param path path of its message; null outside of messages
   */
  private record Block(String name, List<Integer> path, int[] messages) {
    Block(String name, List<Integer> path) {
      this(name, path, new int[1]);
    }
  }

  private final String text;
  private final BiConsumer<List<Integer>, String> found;
  private final Deque<Block> open = new ArrayDeque<>();

  /** The first words of a statement, and the last two. */
  private final List<String> statement = new ArrayList<>();

  private int at;
  private int count;

  /**
   * @param found receives the path and the full name of each message
   */
  ProtoScanner(String text, BiConsumer<List<Integer>, String> found) {
    this.text = text;
    this.found = found;
  }

  void scan() {
    open.push(new Block("", List.of()));
    while (at < text.length()) {
      char next = text.charAt(at);
      if (isWord(next) && !isDigit(next)) {
        word();
      } else if (next == '"' || next == '\'') {
        string(next);
      } else if (text.startsWith("//", at)) {
        skipPast("\n", at);
      } else if (text.startsWith("/*", at)) {
        skipPast("*/", at + 2);
      } else {
        at++;
        if (next == '{' || next == '}' || next == ';') {
          end(next);
          statement.clear();
        }
      }
    }
  }

  private void word() {
    int start = at;
    while (at < text.length() && isWord(text.charAt(at))) {
      at++;
    }
    if (statement.size() == MAX_STATEMENT) {
      statement.remove(MAX_STATEMENT - 2);
    }
    statement.add(text.substring(start, at));
  }

  private static boolean isWord(char next) {
    return next >= 'a' && next <= 'z'
        || next >= 'A' && next <= 'Z'
        || next == '_'
        || next == '.'
        || isDigit(next);
  }

  private static boolean isDigit(char next) {
    return next >= '0' && next <= '9';
  }

  private void string(char quote) {
    at++;
    while (at < text.length() && text.charAt(at) != quote) {
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    at++;
  }

  private void skipPast(String mark, int from) {
    int end = text.indexOf(mark, from);
    at = end < 0 ? text.length() : end + mark.length();
  }

  /** A statement ended: with a semicolon, or because braces open or close. */
  private void end(char mark) {
    if (mark == '{') {
      open.push(block());
    } else if (mark == '}' && open.size() > 1) {
      open.pop();
    } else if (statement.size() == 2 && statement.get(0).equals("package") && open.size() == 1) {
      open.pop();
      open.push(new Block(statement.get(1), List.of()));
    }
  }

  private Block block() {
    Block outer = open.peek();
    if (outer.path == null) {
      return outer;
    }
    int keyword = messageKeyword();
    if (keyword < 0) {
      return transparent(outer);
    }
    String simple = statement.get(keyword + 1);
    int index = outer.messages[0]++;
    if (outer.path.size() == MessageIndexes.MOST
        || outer.name.length() + simple.length() > MAX_NAME
        || count == MAX_MESSAGES) {
      return new Block("", null);
    }
    count++;
    String name = outer.name.isEmpty() ? simple : outer.name + "." + simple;
    Block message = new Block(name, appended(outer.path, index));
    found.accept(message.path, message.name);
    return message;
  }

  /** Groups in a oneof belong to the message; the content of other braces does not. */
  private Block transparent(Block outer) {
    boolean oneof = !statement.isEmpty() && statement.get(0).equals("oneof");
    return oneof ? outer : new Block("", null);
  }

  private int messageKeyword() {
    int last = statement.size() - 2;
    for (int i = 0; i <= last; i++) {
      boolean first = i == 0 || (i == 1 && VISIBILITY.contains(statement.get(0)));
      boolean message = first && statement.get(i).equals("message");
      boolean group = statement.get(i).equals("group") && i == last;
      if (message || group) {
        return i;
      }
    }
    return -1;
  }

  static List<Integer> appended(List<Integer> path, int index) {
    List<Integer> longer = new ArrayList<>(path);
    longer.add(index);
    return List.copyOf(longer);
  }
}
