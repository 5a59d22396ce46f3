package io.weir.internal.yaml;

import io.weir.internal.time.DurationText;
import java.time.Duration;
import java.util.ArrayList;
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

/**
 * A map in a file, with typed access to its fields. An invalid value throws a {@link YamlException}
 * in one line.
 */
public final class YamlMap {
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");

  private final YamlFile file;
  private final Node node;
  private final Map<String, Node> fields;

  private YamlMap(YamlFile file, Node node, Map<String, Node> fields) {
    this.file = file;
    this.node = node;
    this.fields = fields;
  }

  /**
   * @throws YamlException if the node is not a map, or has a field twice
   */
  static YamlMap of(YamlFile file, Node node) {
    if (!(node instanceof MappingNode map)) {
      throw new YamlException(file.name() + place(node) + ": expected: a map of fields");
    }
    Map<String, Node> fields = new LinkedHashMap<>();
    YamlMap result = new YamlMap(file, node, fields);
    for (NodeTuple tuple : map.getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        throw new YamlException(
            file.name() + place(tuple.getKeyNode()) + ": expected: a field name");
      }
      if (fields.put(key.getValue(), tuple.getValueNode()) != null) {
        throw result.wrong(key.getValue(), "the field is set twice");
      }
    }
    return result;
  }

  /** The map in a field. */
  public YamlMap map(String field) {
    Node value = fields.get(field);
    if (!(value instanceof MappingNode)) {
      throw wrong(field, "expected: a map of fields");
    }
    return of(file, value);
  }

  public boolean has(String field) {
    return fields.containsKey(field);
  }

  /** Refuses fields of other names. */
  public void allow(String... names) {
    for (String field : fields.keySet()) {
      if (!List.of(names).contains(field)) {
        throw wrong(field, "unknown field; expected: " + String.join(", ", names));
      }
    }
  }

  /** The maps in a required list. */
  public List<YamlMap> maps(String field) {
    return list(field).stream().map(node -> of(file, node)).toList();
  }

  /** The texts in a required list. */
  public List<String> texts(String field) {
    List<String> texts = new ArrayList<>();
    for (Node node : list(field)) {
      if (!(node instanceof ScalarNode scalar)) {
        throw wrong(field, "expected: a list of texts, each in quotes");
      }
      texts.add(scalar.getValue());
    }
    return texts;
  }

  private List<Node> list(String field) {
    if (!(fields.get(field) instanceof SequenceNode list)) {
      throw wrong(field, "expected: a list");
    }
    return list.getValue();
  }

  /** An optional text. */
  public Optional<String> find(String field) {
    Node value = fields.get(field);
    if (value == null) {
      return Optional.empty();
    }
    if (!(value instanceof ScalarNode scalar)) {
      throw wrong(field, "expected: one value");
    }
    return Optional.of(scalar.getValue());
  }

  /** A required text. */
  public String text(String field, String allowed) {
    return find(field)
        .orElseThrow(() -> wrong(field, "the field is missing; expected: " + allowed));
  }

  /** An optional finite number. */
  public OptionalDouble number(String field) {
    Optional<String> text = find(field);
    if (text.isEmpty()) {
      return OptionalDouble.empty();
    }
    double number =
        NUMBER.matcher(text.get()).matches() ? Double.parseDouble(text.get()) : Double.NaN;
    if (!Double.isFinite(number)) {
      throw wrong(field, "expected: a number");
    }
    return OptionalDouble.of(number);
  }

  /** A number of at least 0; 0 if missing. */
  public double distance(String field) {
    double number = number(field).orElse(0);
    if (number < 0) {
      throw wrong(field, "expected: 0 or more");
    }
    return number;
  }

  /** An optional duration. */
  public Optional<Duration> duration(String field) {
    return find(field)
        .map(
            text -> {
              try {
                return DurationText.parse(text);
              } catch (IllegalArgumentException e) {
                throw wrong(field, "expected: a duration such as 500ms, 30s, 5m or 1h");
              }
            });
  }

  /** An exception for a field, with file, place, entry, field, value and expected values. */
  public YamlException wrong(String field, String why) {
    Node value = fields.get(field);
    String name = nameOf();
    String shown = value instanceof ScalarNode scalar ? "=" + shown(scalar.getValue()) : "";
    return new YamlException(
        file.name()
            + place(value == null ? node : value)
            + (name.isEmpty() ? "" : ": " + file.kind() + " " + name)
            + ": "
            + field
            + shown
            + ": "
            + why);
  }

  private String nameOf() {
    return fields.get(file.nameField()) instanceof ScalarNode name ? shown(name.getValue()) : "";
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
