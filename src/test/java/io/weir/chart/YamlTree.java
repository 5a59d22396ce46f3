package io.weir.chart;

import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Ways through what YAML was read into: maps, lists, texts and numbers. */
final class YamlTree {
  private YamlTree() {}

  /** A document that is a map. */
  static Map<String, Object> read(String yaml) {
    return map(new Load(LoadSettings.builder().build()).loadFromString(yaml));
  }

  /** Puts what is in one map into another: maps within are merged, all else is replaced. */
  static void merge(Map<String, Object> into, Map<String, Object> more) {
    more.forEach(
        (key, value) -> {
          if (value instanceof Map<?, ?> && into.get(key) instanceof Map<?, ?>) {
            merge(map(into.get(key)), map(value));
          } else {
            into.put(key, value);
          }
        });
  }

  @SuppressWarnings("unchecked") // YAML's maps have texts for keys here, or the cast of one fails.
  static Map<String, Object> map(Object tree) {
    return (Map<String, Object>) tree;
  }

  @SuppressWarnings("unchecked")
  static List<Object> list(Object tree) {
    return (List<Object>) tree;
  }

  /** A list of texts; none where there is no list. */
  static List<String> texts(Object tree) {
    return tree == null ? List.of() : list(tree).stream().map(String.class::cast).toList();
  }

  /** What is at a path of names, and of numbers in lists; null where nothing is. */
  static Object at(Object tree, Object... path) {
    Object here = tree;
    for (Object step : path) {
      if (here instanceof Map<?, ?> map) {
        here = map.get(step);
      } else if (here instanceof List<?> list && step instanceof Integer index) {
        here = index < list.size() ? list.get(index) : null;
      } else {
        return null;
      }
    }
    return here;
  }
}
