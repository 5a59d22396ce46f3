package io.weir.internal.registry;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import io.weir.internal.wire.MessageIndexes;
import io.weir.internal.wire.Protobuf;
import io.weir.internal.wire.UndecodableException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/** The messages of a protobuf schema: their full names, and their indexes in the file. */
final class SchemaOutline {
  private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]+={0,2}");

  private static final int MAX_TEXT = 1 << 20;

  private final Map<List<Integer>, String> names = new HashMap<>();

  private SchemaOutline() {}

  /** Reads the messages; a schema of another type, or an unreadable or too large one, has none. */
  static SchemaOutline of(Schema schema) {
    SchemaOutline outline = new SchemaOutline();
    if (schema.type().equals(Schema.PROTOBUF) && schema.text().length() <= MAX_TEXT) {
      outline.read(schema.text().strip());
    }
    return outline;
  }

  private void read(String text) {
    if (!BASE64.matcher(text).matches()) {
      new ProtoScanner(text, names::put).scan();
      return;
    }
    try {
      FileDescriptorProto file =
          Protobuf.read(FileDescriptorProto.getDefaultInstance(), Base64.getDecoder().decode(text));
      add(file.getPackage(), List.of(), file.getMessageTypeList());
    } catch (UndecodableException | IllegalArgumentException | StackOverflowError e) {
      names.clear();
    }
  }

  private void add(String scope, List<Integer> outer, List<DescriptorProto> messages) {
    int index = 0;
    for (DescriptorProto message : messages) {
      if (!message.getOptions().getMapEntry()) {
        List<Integer> path = ProtoScanner.appended(outer, index++);
        if (scope.length() + message.getName().length() > ProtoScanner.MAX_NAME
            || names.size() == ProtoScanner.MAX_MESSAGES) {
          continue;
        }
        String name = scope.isEmpty() ? message.getName() : scope + "." + message.getName();
        names.put(path, name);
        if (path.size() < MessageIndexes.MOST) {
          add(name, path, message.getNestedTypeList());
        }
      }
    }
  }

  /** The full name of a message. */
  Optional<String> nameOf(MessageIndexes message) {
    return Optional.ofNullable(names.get(message.path()));
  }

  /** The indexes of the message with a full name. */
  Optional<MessageIndexes> find(String fullName) {
    return names.entrySet().stream()
        .filter(message -> message.getValue().equals(fullName))
        .map(message -> new MessageIndexes(message.getKey()))
        .findFirst();
  }

  /**
   * Finds only the messages of a .proto text: it skips comments and strings, and counts braces.
   * Groups are messages too. One pass, without recursion; messages that are nested too deep or have
   * too long names are skipped.
   */
  static final class ProtoScanner {
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
}
