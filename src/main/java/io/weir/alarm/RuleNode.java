package io.weir.alarm;

import io.weir.time.DurationText;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** A map in a file of rules: its fields, each taken as what it has to be. */
final class RuleNode {
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");

  private final String file;
  private final Node node;
  private final Map<String, Node> fields;

  private RuleNode(String file, Node node, Map<String, Node> fields) {
    this.file = file;
    this.node = node;
    this.fields = fields;
  }

  /**
   * @throws RulesException if the node is no map, or a field stands twice
   */
  static RuleNode map(String file, Node node) {
    if (!(node instanceof MappingNode map)) {
      throw new RulesException(file + place(node) + ": allowed is a map of fields");
    }
    Map<String, Node> fields = new LinkedHashMap<>();
    RuleNode result = new RuleNode(file, node, fields);
    for (NodeTuple tuple : map.getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        throw new RulesException(file + place(tuple.getKeyNode()) + ": allowed is a field's name");
      }
      if (fields.put(key.getValue(), tuple.getValueNode()) != null) {
        throw result.wrong(key.getValue(), "it stands twice");
      }
    }
    return result;
  }

  /** The map in a field. */
  RuleNode map(String field) {
    Node value = fields.get(field);
    if (!(value instanceof MappingNode)) {
      throw wrong(field, "allowed is a map of fields");
    }
    return map(file, value);
  }

  boolean has(String field) {
    return fields.containsKey(field);
  }

  /** Refuses fields of other names. */
  void allow(String... names) {
    for (String field : fields.keySet()) {
      if (!List.of(names).contains(field)) {
        throw wrong(field, "no such field; allowed is " + String.join(", ", names));
      }
    }
  }

  /** The elements of a list that must be there. */
  List<Node> list(String field) {
    if (!(fields.get(field) instanceof SequenceNode list)) {
      throw wrong(field, "allowed is a list");
    }
    return list.getValue();
  }

  /** A text that may not be there. */
  Optional<String> find(String field) {
    Node value = fields.get(field);
    if (value == null) {
      return Optional.empty();
    }
    if (!(value instanceof ScalarNode scalar)) {
      throw wrong(field, "allowed is one value");
    }
    return Optional.of(scalar.getValue());
  }

  /** A text that must be there. */
  String text(String field, String allowed) {
    return find(field).orElseThrow(() -> wrong(field, "it is missing; allowed is " + allowed));
  }

  /** A finite number that may not be there. */
  OptionalDouble number(String field) {
    Optional<String> text = find(field);
    if (text.isEmpty()) {
      return OptionalDouble.empty();
    }
    double number =
        NUMBER.matcher(text.get()).matches() ? Double.parseDouble(text.get()) : Double.NaN;
    if (!Double.isFinite(number)) {
      throw wrong(field, "allowed is a number");
    }
    return OptionalDouble.of(number);
  }

  /** A number from 0 on; 0 where it is not there. */
  double distance(String field) {
    double number = number(field).orElse(0);
    if (number < 0) {
      throw wrong(field, "allowed is 0 or more");
    }
    return number;
  }

  /** A duration that may not be there. */
  Optional<Duration> duration(String field) {
    return find(field)
        .map(
            text -> {
              try {
                return DurationText.parse(text);
              } catch (IllegalArgumentException e) {
                throw wrong(field, "allowed is a duration such as 500ms, 30s, 5m or 1h");
              }
            });
  }

  /** What to say of a field: file, place, rule, field, value and what is allowed. */
  RulesException wrong(String field, String why) {
    Node value = fields.get(field);
    String name = nameOf();
    String shown = value instanceof ScalarNode scalar ? "=" + shown(scalar.getValue()) : "";
    return new RulesException(
        file
            + place(value == null ? node : value)
            + (name.isEmpty() ? "" : ": rule " + name)
            + ": "
            + field
            + shown
            + ": "
            + why);
  }

  private String nameOf() {
    return fields.get("name") instanceof ScalarNode name ? shown(name.getValue()) : "";
  }

  private static String shown(String text) {
    String line = text.replaceAll("\\s+", " ");
    return line.length() > 100 ? line.substring(0, 100) + "..." : line;
  }

  private static String place(Node node) {
    return node.getStartMark()
        .map(mark -> ", line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1))
        .orElse("");
  }
}
