package io.weir.chart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The files of k8s/ that come from the chart: by the path of each its content. What is in none of
 * them, the kustomizations, is written by hand.
 */
final class PlainManifests {
  static final Path DIR = Path.of("k8s");

  private static final String HEADER =
      "# From the chart in helm/weir: written again, not edited (see kustomization.yaml).\n";

  private PlainManifests() {}

  /** The default render, and beside it what monitoring and Strimzi add. */
  static Map<Path, String> fromChart() {
    List<Manifest> plain = Manifest.all(HelmChart.render());
    Map<Path, String> files = files(DIR, plain);
    Set<String> sources = plain.stream().map(Manifest::source).collect(Collectors.toSet());
    for (String component : List.of("monitoring", "strimzi")) {
      List<Manifest> more = Manifest.all(HelmChart.render(HelmChart.ciFile(component)));
      files.putAll(
          files(
              DIR.resolve(component),
              more.stream().filter(manifest -> !sources.contains(manifest.source())).toList()));
    }
    return files;
  }

  /** A file for each template. */
  private static Map<Path, String> files(Path dir, List<Manifest> manifests) {
    Map<Path, Set<String>> texts = new TreeMap<>();
    for (Manifest manifest : manifests) {
      texts
          .computeIfAbsent(dir.resolve(manifest.source()), path -> new LinkedHashSet<>())
          .add(manifest.text());
    }
    Map<Path, String> files = new TreeMap<>();
    texts.forEach((path, parts) -> files.put(path, HEADER + String.join("---\n", parts)));
    return files;
  }

  /** Writes them, in place of those that are there. */
  static void write() throws IOException {
    for (Map.Entry<Path, String> file : fromChart().entrySet()) {
      Files.createDirectories(file.getKey().getParent());
      Files.writeString(file.getKey(), file.getValue());
    }
  }
}
