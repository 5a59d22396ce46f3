package io.weir.chart;

import io.weir.internal.app.WeirConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/** The variables of pods, put together as a kubelet does it. */
final class PodEnvironment {
  private static final String SECRETS = "/etc/weir/secrets/";

  private PodEnvironment() {}

  /** A container that runs Weir: its arguments, and its variables. */
  record Container(List<String> args, Map<String, String> variables) {}

  /** The containers of a render, by component; init containers as component/name. */
  record Pods(Map<String, Container> containers) {
    Set<String> names() {
      return containers.keySet();
    }

    Container container(String component) {
      return containers.get(component);
    }

    /**
     * What Weir makes of them.
     *
     * @param secrets where files are put that stand for those of Secrets, each holding "KEY of
     *     SECRET"
     */
    WeirConfig config(String component, Path secrets) {
      Map<String, String> variables = new HashMap<>(container(component).variables());
      variables.replaceAll(
          (name, value) -> value.startsWith(SECRETS) ? file(value, secrets) : value);
      return WeirConfig.of(new Properties(), variables, Map.of());
    }

    private static String file(String mounted, Path secrets) {
      String[] parts = mounted.substring(SECRETS.length()).split("/");
      try {
        Path dir = Files.createDirectories(secrets.resolve(parts[0]));
        return Files.writeString(dir.resolve(parts[1]), parts[1] + " of " + parts[0]).toString();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  static Pods of(String stream) {
    List<Manifest> manifests = Manifest.all(stream);
    Map<String, Container> containers = new LinkedHashMap<>();
    for (Manifest manifest : manifests) {
      Object pod = manifest.at("spec", "template", "spec");
      if (pod != null) {
        String component =
            (String) manifest.at("metadata", "labels", "app.kubernetes.io/component");
        containers.put(
            component, container(YamlTree.at(pod, "containers", 0), manifest, manifests));
        for (Object init : listAt(pod, "initContainers")) {
          if (YamlTree.at(init, "args") != null) {
            containers.put(
                component + "/" + YamlTree.at(init, "name"), container(init, manifest, manifests));
          }
        }
      }
    }
    return new Pods(containers);
  }

  private static Container container(Object tree, Manifest owner, List<Manifest> manifests) {
    Map<String, String> variables = new LinkedHashMap<>();
    for (Object from : listAt(tree, "envFrom")) {
      Object name = YamlTree.at(from, "configMapRef", "name");
      Manifest map =
          manifests.stream()
              .filter(m -> m.kind().equals("ConfigMap") && m.name().equals(name))
              .findFirst()
              .orElseThrow(() -> new AssertionError("no ConfigMap " + name));
      YamlTree.map(map.at("data")).forEach((key, value) -> variables.put(key, (String) value));
    }
    for (Object entry : listAt(tree, "env")) {
      Object value = YamlTree.at(entry, "value");
      Object field = YamlTree.at(entry, "valueFrom", "fieldRef", "fieldPath");
      variables.put(
          (String) YamlTree.at(entry, "name"),
          "metadata.name".equals(field) ? owner.name() + "-0" : (String) value);
    }
    List<String> args = listAt(tree, "args").stream().map(String.class::cast).toList();
    return new Container(args, variables);
  }

  private static List<Object> listAt(Object tree, String name) {
    Object list = YamlTree.at(tree, name);
    return list == null ? List.of() : YamlTree.list(list);
  }
}
