package io.weir.registry;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the messages of a .proto text, and looks at nothing else in it: comments and strings are
 * skipped, braces counted. Groups are messages too.
 */
final class ProtoScanner {
  private static final Pattern TOKEN =
      Pattern.compile(
          "//[^\\n]*|/\\*.*?\\*/|\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])*'"
              + "|(?<word>[A-Za-z_.][A-Za-z0-9_.]*)|(?<mark>[{};])",
          Pattern.DOTALL);

  /** Stands in the path of what no index leads to. */
  private static final int NOWHERE = -1;

  private static final Set<String> VISIBILITY = Set.of("export", "local");

  /** What a pair of braces is around. */
  private static final class Block {
    /** Empty for a file without a package. */
    private final String name;

    private final List<Integer> path;
    private int messages;

    private Block(String name, List<Integer> path) {
      this.name = name;
      this.path = path;
    }
  }

  private final Matcher tokens;
  private final BiConsumer<List<Integer>, String> found;
  private final Deque<Block> open = new ArrayDeque<>();

  /**
   * @param found is told the path and the full name of each message
   */
  ProtoScanner(String text, BiConsumer<List<Integer>, String> found) {
    this.tokens = TOKEN.matcher(text);
    this.found = found;
  }

  void scan() {
    open.push(new Block("", List.of()));
    List<String> statement = new ArrayList<>();
    while (tokens.find()) {
      if (tokens.group("word") != null) {
        statement.add(tokens.group("word"));
      } else if (tokens.group("mark") != null) {
        end(statement, tokens.group("mark"));
        statement.clear();
      }
    }
  }

  /** A statement ended: with a semicolon, or because braces open or close. */
  private void end(List<String> statement, String mark) {
    if (mark.equals("{")) {
      open.push(block(statement));
    } else if (mark.equals("}") && open.size() > 1) {
      open.pop();
    } else if (statement.size() == 2 && statement.get(0).equals("package") && open.size() == 1) {
      open.pop();
      open.push(new Block(statement.get(1), List.of()));
    }
  }

  private Block block(List<String> statement) {
    Block outer = open.peek();
    int keyword = messageKeyword(statement);
    if (keyword < 0) {
      return transparent(outer, statement);
    }
    String own = statement.get(keyword + 1);
    String name = outer.name.isEmpty() ? own : outer.name + "." + own;
    Block message = new Block(name, appended(outer.path, outer.messages++));
    if (!message.path.contains(NOWHERE)) {
      found.accept(message.path, message.name);
    }
    return message;
  }

  /** A oneof's groups are the message's own; what stands in other braces is none of its. */
  private static Block transparent(Block outer, List<String> statement) {
    boolean oneof = !statement.isEmpty() && statement.get(0).equals("oneof");
    return oneof ? outer : new Block(outer.name, List.of(NOWHERE));
  }

  private static int messageKeyword(List<String> statement) {
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
