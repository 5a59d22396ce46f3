package io.weir.chart;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Objects without regard to what kustomize may change: the order of objects and of named entries in
 * a list, and the checksum of the settings, which Helm alone keeps.
 */
final class Kustomized {
  private Kustomized() {}

  /** Each object's content by its name. */
  static Map<String, Object> of(String stream) {
    return Manifest.all(stream).stream()
        .collect(
            Collectors.toMap(
                Manifest::toString,
                manifest -> inOrder(manifest.tree()),
                (a, b) -> {
                  throw new AssertionError("twice: " + a);
                },
                TreeMap::new));
  }

  private static Object inOrder(Object tree) {
    if (tree instanceof Map<?, ?> map) {
      Map<Object, Object> copy = new LinkedHashMap<>();
      map.forEach(
          (key, value) -> {
            if (!key.equals("checksum/config")) {
              copy.put(key, inOrder(value));
            }
          });
      return copy;
    }
    if (tree instanceof List<?> list) {
      List<Object> copy = list.stream().map(Kustomized::inOrder).map(Object.class::cast).toList();
      boolean named = list.stream().allMatch(item -> YamlTree.at(item, "name") != null);
      return named
          ? copy.stream().sorted(Comparator.comparing(i -> "" + YamlTree.at(i, "name"))).toList()
          : copy;
    }
    return tree;
  }
}
