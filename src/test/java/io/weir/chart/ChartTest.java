package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.LintResult;
import io.weir.internal.alarm.RulesFile;
import io.weir.internal.permission.PermissionFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** That the chart renders what Kubernetes and its extensions take. */
class ChartTest {
  private static final Pattern HOOK = Pattern.compile("(?m)^ *helm.sh/hook.*\\n");

  private static final Object[] CONTAINER = {"spec", "template", "spec", "containers", 0};

  static List<Path> ciFiles() {
    return HelmChart.ciFiles();
  }

  @Test
  void strictLint_findsNothing() {
    LintResult result = HelmChart.lint();

    assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
  }

  @Test
  void withoutValues_rendersWhatTheDefaultFileRenders() {
    assertThat(HelmChart.render()).isEqualTo(HelmChart.render(HelmChart.ciFile("default")));
  }

  @ParameterizedTest
  @MethodSource("ciFiles")
  void everyObject_hasOnlyFieldsOfItsType(Path values) {
    List<Manifest> manifests = Manifest.all(HelmChart.render(values));

    assertThat(manifests).isNotEmpty().allSatisfy(TypedManifest::read);
    assertThat(manifests.stream().map(Manifest::toString)).doesNotHaveDuplicates();
  }

  @Test
  void ciFiles_areNamedAsToolsFindThem_andRenderEveryTemplateBetweenThem() throws IOException {
    assertThat(ciFiles()).allSatisfy(file -> assertThat(file.toString()).endsWith("-values.yaml"));

    Set<String> rendered = new HashSet<>();
    for (Path file : ciFiles()) {
      Manifest.all(HelmChart.render(file)).forEach(manifest -> rendered.add(manifest.source()));
    }
    try (Stream<Path> templates = Files.list(HelmChart.DIR.resolve("templates"))) {
      assertThat(rendered)
          .isEqualTo(
              templates
                  .map(template -> template.getFileName().toString())
                  .filter(name -> name.endsWith(".yaml"))
                  .collect(Collectors.toSet()));
    }
  }

  /** Helm renders tests only when it runs them: so they are looked at without their annotation. */
  @Test
  void testHook_isAPodOfTheSameKind(@TempDir Path dir) throws IOException {
    Path template = HelmChart.DIR.resolve("templates/tests/topics-test.yaml");
    assertThat(Files.readString(template)).contains("helm.sh/hook: test");

    Path chart = copyWithoutHooks(dir);
    for (Path file : List.of(HelmChart.ciFile("default"), HelmChart.ciFile("keda"))) {
      List<Manifest> manifests = Manifest.all(HelmChart.renderChart(chart, file));
      Manifest pod = Manifest.only(manifests, "Pod");
      assertThatCode(() -> TypedManifest.read(pod)).doesNotThrowAnyException();
      assertThat(pod.at("spec", "containers", 0, "args")).isEqualTo(List.of("topics", "--verify"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "default, StatefulSet, weir, weir",
    "events, StatefulSet, weir-events, weir",
    "edge, Deployment, weir-edge, weir-edge",
    "inputs, StatefulSet, weir-edge, weir-edge",
    "serve, Deployment, weir-serve, weir-serve",
    "sink, Deployment, weir-sink, weir-sink",
    "collector, Deployment, weir-collector, weir-collector"
  })
  void probes_askAPortOfTheirOwn_whichTheNetworkPolicyLetsThrough(
      String values, String kind, String name, String policyName) {
    List<Manifest> manifests = Manifest.all(HelmChart.render(HelmChart.ciFile(values)));
    Object container = named(manifests, kind, name).at(CONTAINER);
    Object policy = named(manifests, "NetworkPolicy", policyName).at("spec", "ingress");

    for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
      assertThat(YamlTree.at(container, probe, "httpGet", "port")).as(probe).isEqualTo("probe");
    }
    assertThat(YamlTree.list(YamlTree.at(container, "ports")))
        .contains(Map.of("name", "probe", "containerPort", 8081, "protocol", "TCP"));
    assertThat(YamlTree.list(YamlTree.at(container, "env")))
        .contains(Map.of("name", "WEIR_HTTP_PROBE_PORT", "value", "8081"));
    assertThat(YamlTree.list(policy))
        .contains(Map.of("ports", List.of(Map.of("port", "probe", "protocol", "TCP"))));
  }

  /** Whoever takes a gateway's pod over has a gateway's credential, and no more. */
  @Test
  void secretsOfTheAggregator_areNotInTheGatewaysPod() {
    List<Manifest> manifests =
        Manifest.all(
            HelmChart.renderWith(
                """
                secrets: [{name: of-the-aggregator, kafka: {sasl.jaas.config: jaas}}]
                edge:
                  enabled: true
                  feeder: {image: "readings:1"}
                  secrets: [{name: of-the-gateway, kafka: {sasl.jaas.config: jaas}}]
                """));

    assertThat(Manifest.only(manifests, "Deployment").at("spec").toString())
        .contains("of-the-gateway")
        .doesNotContain("of-the-aggregator");
    assertThat(Manifest.only(manifests, "StatefulSet").at("spec").toString())
        .contains("of-the-aggregator")
        .doesNotContain("of-the-gateway");
  }

  /** The text of the values reaches the aggregator to the letter, and Weir takes it. */
  @Test
  void rules_areAFileOfTheAggregatorsPods(@TempDir Path dir) throws IOException {
    List<Manifest> manifests = Manifest.all(HelmChart.render(HelmChart.ciFile("events")));
    Object pod = named(manifests, "StatefulSet", "weir").at("spec", "template", "spec");
    String variable = "WEIR_RULES_FILE";
    Path file =
        Path.of(
            PodEnvironment.of(HelmChart.render(HelmChart.ciFile("events")))
                .container("aggregator")
                .variables()
                .get(variable));

    assertThat(YamlTree.list(YamlTree.at(pod, "volumes")))
        .contains(Map.of("name", "rules", "configMap", Map.of("name", "weir-rules")));
    assertThat(YamlTree.list(YamlTree.at(pod, "containers", 0, "volumeMounts")))
        .contains(
            Map.of("name", "rules", "mountPath", file.getParent().toString(), "readOnly", true));
    String text =
        (String)
            named(manifests, "ConfigMap", "weir-rules").at("data", file.getFileName().toString());
    assertThat(text).contains("# Steam at 95 degrees.\n", "priority: 0\n\n");
    assertThat(RulesFile.read(Files.writeString(dir.resolve("rules.yaml"), text), 10_000))
        .satisfies(rules -> assertThat(rules.conditions()).hasSize(2));
    for (Manifest other : manifests) {
      if (!other.name().equals("weir")) {
        assertThat(other.tree().toString()).doesNotContain(variable);
      }
    }
  }

  /** A change of them starts no pod again: the file is mounted as a whole, and read again. */
  @Test
  void gateways_areAFileOfTheAggregatorsPods(@TempDir Path dir) throws IOException {
    String text = "gateways:\n  - {gateway: 'line-*', sensors: ['{gateway}/*']}\n";
    Path values = dir.resolve("values.yaml");
    Files.writeString(values, "gateways: |\n" + text.indent(2));
    List<Manifest> manifests = Manifest.all(HelmChart.render(values));
    Path file =
        Path.of(
            PodEnvironment.of(HelmChart.render(values))
                .container("aggregator")
                .variables()
                .get("WEIR_GATEWAYS_FILE"));

    Object pod = named(manifests, "StatefulSet", "weir").at("spec", "template", "spec");
    assertThat(YamlTree.list(YamlTree.at(pod, "volumes")))
        .contains(Map.of("name", "gateways", "configMap", Map.of("name", "weir-gateways")));
    assertThat(YamlTree.list(YamlTree.at(pod, "containers", 0, "volumeMounts")))
        .contains(
            Map.of("name", "gateways", "mountPath", file.getParent().toString(), "readOnly", true));
    String mounted =
        (String)
            named(manifests, "ConfigMap", "weir-gateways")
                .at("data", file.getFileName().toString());
    assertThat(PermissionFile.parse("gateways.yaml", mounted, false).size()).isEqualTo(1);
    Files.writeString(values, "gateways: |\n" + text.replace("line", "hall").indent(2));
    assertThat(
            named(Manifest.all(HelmChart.render(values)), "StatefulSet", "weir").tree().toString())
        .isEqualTo(named(manifests, "StatefulSet", "weir").tree().toString());
  }

  /** The aggregator reads them at its start; nobody else does. */
  @Test
  void otherRules_startTheAggregatorAgain_andNothingElse() {
    String values =
        "{config: {weir.events: true}, events: {enabled: true}, rules: 'rules: [{name: a, sensors:"
            + " x, high: %s}]'}";
    List<Manifest> before = Manifest.all(HelmChart.renderWith(values.formatted("1")));
    List<Manifest> after = Manifest.all(HelmChart.renderWith(values.formatted("2")));

    assertThat(template(after, "weir")).isNotEqualTo(template(before, "weir"));
    assertThat(template(after, "weir-events")).isEqualTo(template(before, "weir-events"));
  }

  /** Both report lag and partitions: one job would add them up. */
  @Test
  void events_haveAScrapeJob_aBudgetAndAWayThroughThePolicy() {
    List<Manifest> manifests = Manifest.all(HelmChart.render(HelmChart.ciFile("events")));
    Map<Object, Object> labels =
        Map.copyOf(
            YamlTree.map(
                named(manifests, "StatefulSet", "weir-events")
                    .at("spec", "selector", "matchLabels")));

    assertThat(labels).containsEntry("app.kubernetes.io/component", "events");
    for (String kind : List.of("PodMonitor", "PodDisruptionBudget")) {
      assertThat(named(manifests, kind, "weir-events").at("spec", "selector", "matchLabels"))
          .as(kind)
          .isEqualTo(labels);
    }
    assertThat(
            named(manifests, "PodMonitor", "weir")
                .at("spec", "selector", "matchExpressions", 0, "values"))
        .isEqualTo(List.of("aggregator", "edge", "import", "serve", "sink", "collector"));
    assertThat(
            Manifest.only(manifests, "NetworkPolicy")
                .at("spec", "podSelector", "matchExpressions", 0, "values"))
        .isEqualTo(List.of("edge", "import", "serve", "sink", "collector", "toolbox"));
    Object container = named(manifests, "StatefulSet", "weir-events").at(CONTAINER);
    assertThat(YamlTree.at(container, "args")).isEqualTo(List.of("events"));
    assertThat(YamlTree.at(container, "livenessProbe", "httpGet", "port")).isEqualTo("probe");
    assertThat(template(manifests, "weir-events").toString())
        .contains("secret-weir-events")
        .doesNotContain("secret-weir,");
  }

  private static Object template(List<Manifest> manifests, String name) {
    return named(manifests, "StatefulSet", name).at("spec", "template");
  }

  private static Manifest named(List<Manifest> manifests, String kind, String name) {
    return manifests.stream()
        .filter(manifest -> manifest.kind().equals(kind) && manifest.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + kind + " " + name));
  }

  /** Helm shows them only when it installs: so here they are in a ConfigMap. */
  @Test
  void notes_sayHowToLook(@TempDir Path dir) throws IOException {
    Path chart = copyWithoutHooks(dir);
    String notes = Files.readString(chart.resolve("templates/NOTES.txt")).indent(4);
    String map = "apiVersion: v1\nkind: Notes\nmetadata: {name: notes}\ntext: |\n";
    Files.writeString(chart.resolve("templates/notes.yaml"), map + notes);

    String text =
        (String)
            Manifest.only(
                    Manifest.all(HelmChart.renderChart(chart, HelmChart.ciFile("keda"))), "Notes")
                .at("text");

    assertThat(text)
        .contains("weir.readings of kafka-0.kafka:9093,kafka-1.kafka:9093", "2 to 16 pods")
        .contains("as weir-plant-7", "rollout status statefulset/weir", " test weir")
        .contains("Nobody scrapes /metrics on port 8080");
  }

  private static Path copyWithoutHooks(Path to) throws IOException {
    try (Stream<Path> files = Files.walk(HelmChart.DIR)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = to.resolve(HelmChart.DIR.relativize(file));
        Files.createDirectories(copy.getParent());
        Files.writeString(copy, HOOK.matcher(Files.readString(file)).replaceAll(""));
      }
    }
    return to;
  }

  @Test
  void unknownField_howeverDeep_isRefused() {
    String typo =
        HelmChart.render().replace("allowPrivilegeEscalation:", "allowPriviledgeEscalation:");

    assertThatThrownBy(() -> Manifest.all(typo).forEach(TypedManifest::read))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("allowPriviledgeEscalation");
  }
}
