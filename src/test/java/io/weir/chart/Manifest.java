package io.weir.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * One object as it is in a stream of YAML.
 *
 * @param source the template it is from, empty where nobody says
 * @param text as it was written, without the line that names the source
 * @param tree its content
 */
record Manifest(String source, String text, Map<String, Object> tree) {
  private static final Pattern SEPARATOR = Pattern.compile("(?m)^---$");
  private static final Pattern SOURCE =
      Pattern.compile("\\A\\s*# Source: weir/templates/(\\S+)\\n");

  /** All objects of a stream, in its order. */
  static List<Manifest> all(String stream) {
    List<Manifest> manifests = new ArrayList<>();
    for (String text : SEPARATOR.split(stream)) {
      Matcher named = SOURCE.matcher(text);
      String source = named.find() ? named.group(1) : "";
      String rest = source.isEmpty() ? text : text.substring(named.end());
      Object tree = new Load(LoadSettings.builder().build()).loadFromString(rest);
      if (tree != null) {
        manifests.add(new Manifest(source, rest.strip() + "\n", YamlTree.map(tree)));
      }
    }
    return manifests;
  }

  /** The only object of a kind. */
  static Manifest only(List<Manifest> manifests, String kind) {
    List<Manifest> found = manifests.stream().filter(m -> m.kind().equals(kind)).toList();
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " objects of kind " + kind + ", not one");
    }
    return found.get(0);
  }

  String apiVersion() {
    return (String) tree.get("apiVersion");
  }

  String kind() {
    return (String) tree.get("kind");
  }

  String name() {
    return (String) at("metadata", "name");
  }

  /** What is at a path of names, and of numbers in lists; null where nothing is. */
  Object at(Object... path) {
    return YamlTree.at(tree, path);
  }

  /** What to call it in a complaint. */
  @Override
  public String toString() {
    return apiVersion() + " " + kind() + " " + name();
  }
}
