package io.weir.chart;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The chart, as Helm itself lints and renders it: as a native library, without a cluster. */
final class HelmChart {
  static final Path DIR = Path.of("helm", "weir");

  /** The release's name, as which manifests are rendered. */
  static final String RELEASE = "weir";

  /** The oldest version that the chart accepts; the library's own default is older. */
  private static final String OLDEST = "1.27.0";

  private static final Map<List<Path>, String> RENDERED = new ConcurrentHashMap<>();

  private HelmChart() {}

  /** Aborts a test, with the reason, where there is no Helm to call. */
  static void assumeHelm() {
    String platform = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    assumeTrue(
        platform.equals("Linux amd64"), "Helm comes as a library for Linux amd64, not " + platform);
  }

  static LintResult lint() {
    assumeHelm();
    return new Helm(DIR).lint().strict().call();
  }

  /**
   * As {@link #lint}, with values in place of the chart's own where they have some: Helm's library
   * lints no values file, so a copy of the chart has them.
   *
   * @param dir for the copy
   */
  static LintResult lintWith(Path dir, String values) throws IOException {
    assumeHelm();
    try (Stream<Path> files = Files.walk(DIR)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = dir.resolve("weir").resolve(DIR.relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
    Map<String, Object> all = YamlTree.read(Files.readString(DIR.resolve("values.yaml")));
    YamlTree.merge(all, YamlTree.read(values));
    // JSON is YAML.
    Files.writeString(
        dir.resolve("weir").resolve("values.yaml"), new ObjectMapper().writeValueAsString(all));
    return new Helm(dir.resolve("weir")).lint().strict().call();
  }

  /** What the values files of ci/ are called, sorted. */
  static List<Path> ciFiles() {
    try (Stream<Path> files = Files.list(DIR.resolve("ci"))) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path ciFile(String name) {
    return DIR.resolve("ci").resolve(name + "-values.yaml");
  }

  /** All manifests with the values of files of ci/, later ones over earlier ones; kept. */
  static String render(Path... ciFiles) {
    return RENDERED.computeIfAbsent(List.of(ciFiles), files -> renderChart(DIR, ciFiles));
  }

  /** As {@link #render(Path...)}, of a chart and files that may change. */
  static String renderChart(Path chart, Path... valuesFiles) {
    assumeHelm();
    TemplateCommand command = new Helm(chart).template().withKubeVersion(OLDEST).withName(RELEASE);
    for (Path file : valuesFiles) {
      command.withValuesFile(file);
    }
    return command.call();
  }

  /** As {@link #render(Path...)}, with values as YAML. */
  static String renderWith(String values) {
    return renderIn("", values);
  }

  /** As {@link #renderWith(String)}, into a namespace. */
  static String renderIn(String namespace, String values) {
    assumeHelm();
    try {
      Path file = Files.createTempFile("weir-values-", ".yaml");
      try {
        TemplateCommand command =
            new Helm(DIR).template().withKubeVersion(OLDEST).withName(RELEASE);
        if (!namespace.isEmpty()) {
          command.withNamespace(namespace);
        }
        return command.withValuesFile(Files.writeString(file, values)).call();
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
