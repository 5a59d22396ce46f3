package io.weir.internal.text.sniff;

import io.weir.internal.text.JsonValues;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The fields of an Avro schema as paths, each with a text such as its type has. */
final class AvroGuess {
  private static final int MOST_DEPTH = 16;
  private static final int MOST_FIELDS = 500;
  private static final int MOST_CHARACTERS = 500;

  /** Types that refer to each other have more paths than there is time for. */
  private static final int MOST_STEPS = 50_000;

  private static final String INSTANT = "2025-11-27T00:00:00Z";
  private static final String COUNT = "1764201600000";
  private static final String NUMBER = "1.5";
  private static final Set<String> NUMBERS = Set.of("int", "long", "float", "double");
  private static final Set<String> NAMED = Set.of("record", "enum", "fixed");

  private final Map<String, Object> types = new HashMap<>();
  private final Map<String, List<String>> leaves = new LinkedHashMap<>();

  private int steps;

  private AvroGuess() {}

  /** Paths with texts; empty if it is no schema. */
  static Map<String, List<String>> leaves(String schema) {
    byte[] text = schema.getBytes(StandardCharsets.UTF_8);
    AvroGuess guess = new AvroGuess();
    try {
      guess.walk(JsonValues.read(text, 0, text.length), "$", "", 0);
    } catch (IOException noSchema) {
      return Map.of();
    }
    return guess.leaves;
  }

  private void walk(Object schema, String path, String scope, int depth) {
    boolean most = depth > MOST_DEPTH || leaves.size() > MOST_FIELDS || steps++ > MOST_STEPS;
    if (most || path.length() > MOST_CHARACTERS) {
      return;
    }
    if (schema instanceof List<?> union) {
      union.stream()
          .filter(branch -> !"null".equals(branch))
          .findFirst()
          .ifPresent(branch -> walk(branch, path, scope, depth + 1));
    } else if (schema instanceof Map<?, ?> object) {
      object(object, path, scope, depth);
    } else if (schema instanceof String name) {
      Object known = types.getOrDefault(name, types.get(scope + name));
      if (known == null) {
        leaf(path, name);
      } else {
        walk(known, path, scope, depth + 1);
      }
    }
  }

  private void object(Map<?, ?> schema, String path, String scope, int depth) {
    String type = String.valueOf(schema.get("type"));
    String inner = schema.get("namespace") instanceof String space ? space + "." : scope;
    if (NAMED.contains(type) && schema.get("name") instanceof String name) {
      types.put(name.indexOf('.') < 0 ? inner + name : name, schema);
    }
    String logical = String.valueOf(schema.get("logicalType"));
    if (logical.matches("(local-)?timestamp-.*")) {
      leaves.put(path, List.of(INSTANT));
    } else if (logical.equals("decimal")) {
      leaves.put(path, List.of(NUMBER));
    } else if (type.equals("record") && schema.get("fields") instanceof List<?> fields) {
      for (Object each : fields) {
        if (each instanceof Map<?, ?> field && steps <= MOST_STEPS) {
          walk(field.get("type"), path + "." + field.get("name"), inner, depth + 1);
        }
      }
    } else if (type.equals("array")) {
      walk(schema.get("items"), path + "[*]", inner, depth + 1);
    } else if (type.equals("map")) {
      walk(schema.get("values"), path + ".*", inner, depth + 1);
    } else if (schema.get("type") instanceof String primitive) {
      leaf(path, primitive);
    } else {
      walk(schema.get("type"), path, inner, depth + 1);
    }
  }

  private void leaf(String path, String type) {
    if (NUMBERS.contains(type)) {
      leaves.put(path, List.of(NUMBER));
    } else if (type.equals("boolean")) {
      leaves.put(path, List.of("1"));
    } else if (type.equals("string") || type.equals("enum")) {
      leaves.put(path, List.of("text"));
    }
  }

  /** A field that has the name of a time and no type that says its unit; takes it for one. */
  static Optional<String> timeOfNoUnit(Map<String, List<String>> leaves, List<String> names) {
    boolean timed = leaves.containsValue(List.of(INSTANT));
    Optional<String> found =
        leaves.keySet().stream()
            .filter(path -> !timed)
            .filter(path -> names.contains(JsonGuess.lastName(path)))
            .findFirst();
    found.ifPresent(path -> leaves.put(path, List.of(COUNT)));
    return found;
  }
}
