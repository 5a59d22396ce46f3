package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * That k8s/ is what the chart renders. With -Dweir.k8s.write=true it is written first: so the files
 * follow the chart.
 */
class PlainManifestsTest {
  private static final String KUSTOMIZATION = "kustomization.yaml";

  @BeforeAll
  static void write() throws IOException {
    if (Boolean.getBoolean("weir.k8s.write")) {
      PlainManifests.write();
    }
  }

  @Test
  void files_areTheChartsRender() throws IOException {
    Map<Path, String> found = new TreeMap<>();
    try (Stream<Path> files = Files.walk(PlainManifests.DIR)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.endsWith(KUSTOMIZATION)) {
          found.put(file, Files.readString(file));
        }
      }
    }

    assertThat(found)
        .as("write k8s/ again: mvn -B test -Dtest=PlainManifestsTest -Dweir.k8s.write=true")
        .isEqualTo(PlainManifests.fromChart());
  }

  @Test
  void kustomizations_nameEveryFile() throws IOException {
    for (Path dir : List.of(Path.of(""), Path.of("monitoring"), Path.of("strimzi"))) {
      Path root = PlainManifests.DIR.resolve(dir);
      Manifest kustomization = Manifest.all(Files.readString(root.resolve(KUSTOMIZATION))).get(0);
      Set<Object> there = new TreeSet<>();
      try (Stream<Path> files = Files.list(root)) {
        files
            .filter(Files::isRegularFile)
            .map(file -> file.getFileName().toString())
            .filter(name -> !name.equals(KUSTOMIZATION))
            .forEach(there::add);
      }

      assertThat(new TreeSet<>(YamlTree.list(kustomization.at("resources")))).isEqualTo(there);
    }
  }

  @Test
  void plainManifests_haveOnlyFieldsOfTheirTypes() throws IOException {
    try (Stream<Path> files = Files.walk(PlainManifests.DIR)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.endsWith(KUSTOMIZATION)) {
          assertThat(Manifest.all(Files.readString(file))).allSatisfy(TypedManifest::read);
        }
      }
    }
  }

  @Test
  void kustomize_buildsTheDefaultRender() throws Exception {
    String built = Kubectl.kustomize(PlainManifests.DIR);

    assertThat(Kustomized.of(built)).isEqualTo(Kustomized.of(HelmChart.render()));
  }

  @Test
  void kustomize_withMonitoring_buildsWhatTheChartRenders(@TempDir Path dir) throws Exception {
    String built = Kubectl.kustomize(copyWith("monitoring", dir));

    assertThat(Kustomized.of(built))
        .isEqualTo(Kustomized.of(HelmChart.render(HelmChart.ciFile("monitoring"))));
  }

  @Test
  void kustomize_withStrimzi_buildsWhatTheChartRenders(@TempDir Path dir) throws Exception {
    String built = Kubectl.kustomize(copyWith("strimzi", dir));

    assertThat(Kustomized.of(built))
        .isEqualTo(Kustomized.of(HelmChart.render(HelmChart.ciFile("strimzi"))));
  }

  /** k8s/ with a component switched on, as its kustomization says. */
  private static Path copyWith(String component, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(PlainManifests.DIR)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = to.resolve(PlainManifests.DIR.relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
    Path kustomization = to.resolve(KUSTOMIZATION);
    String text = Files.readString(kustomization);
    String on =
        text.replace("# components:", "components:")
            .replace("#   - " + component, "  - " + component);
    assertThat(on).isNotEqualTo(text).contains("\n  - " + component);
    Files.writeString(kustomization, on);
    return to;
  }
}
