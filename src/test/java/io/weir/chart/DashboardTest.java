package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.internal.ops.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** That the dashboard is one release's, and leads to the runbooks. */
class DashboardTest {
  private static final String RUNBOOK = "https://wiki.example.com/weir/operations";

  private static JsonNode dashboard(String namespace) throws IOException {
    String values =
        "monitoring: {dashboard: {enabled: true}, alerts: {runbookUrl: '" + RUNBOOK + "'}}";
    Manifest map =
        Manifest.all(HelmChart.renderIn(namespace, values)).stream()
            .filter(manifest -> manifest.source().equals("dashboard.yaml"))
            .findFirst()
            .orElseThrow();
    return new ObjectMapper().readTree((String) map.at("data", "weir.json"));
  }

  @Test
  void everyLink_leadsToASectionOfTheRunbook() throws IOException {
    String manual = Files.readString(Path.of("docs/operate/runbook.md"));
    JsonNode dashboard = dashboard("plant");
    List<String> links = dashboard.findValuesAsText("url");

    assertThat(links).hasSizeGreaterThan(15).allSatisfy(url -> assertThat(url).startsWith(RUNBOOK));
    assertThat(dashboard.path("links").get(0).path("url").asText()).isEqualTo(RUNBOOK + "#alerts");
    assertThat(manual).contains("## Alerts\n");
    for (JsonNode panel : dashboard.path("panels")) {
      for (JsonNode link : panel.path("links")) {
        String anchor = link.path("url").asText().substring(RUNBOOK.length() + 1);
        assertThat(manual).containsIgnoringCase("\n### " + anchor + "\n");
        assertThat(link.path("title").asText()).isEqualToIgnoringCase(anchor);
      }
    }
  }

  /** Whoever is woken by an alert sees its history, beside the rest. */
  @Test
  void everyMetricOfAnAlert_hasAPanel() {
    Set<String> shown = metrics("panel");

    assertThat(metrics("alert")).hasSizeGreaterThan(40).isSubsetOf(shown);
  }

  private static Set<String> metrics(String owner) {
    return Watching.queries().stream()
        .filter(query -> query.owner().startsWith(owner))
        .flatMap(query -> PromQl.of(query.text()).selectors().stream())
        .map(PromQl.Selector::metric)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** A query with a name or a label that no process exports would be empty without a word. */
  @Test
  void everyQuery_asksForMetricsAndLabelsOfTheCatalogue() {
    Map<String, Set<String>> catalogue = new HashMap<>();
    for (Metric metric : Metric.all()) {
      for (String suffix : List.of("", "_bucket", "_count", "_sum", "_max")) {
        catalogue.put(metric.prometheusName() + suffix, Set.copyOf(metric.labels()));
      }
    }
    Set<String> ofTheTarget =
        Set.of(
            "cluster", "namespace", "plant", "job", "pod", "instance", "node", "container", "le");
    for (Watching.Query query : Watching.queries()) {
      for (PromQl.Selector selector : PromQl.of(query.text()).selectors()) {
        if (selector.metric().startsWith("weir_")) {
          assertThat(catalogue).as(query.toString()).containsKey(selector.metric());
          Set<String> labels = new HashSet<>(selector.labels());
          labels.removeAll(ofTheTarget);
          assertThat(catalogue.get(selector.metric())).as(query.toString()).containsAll(labels);
        }
      }
    }
  }

  @Test
  void twoReleases_haveADashboardEach() throws IOException {
    assertThat(dashboard("plant").path("uid").asText()).isEqualTo("plant-weir");
    assertThat(dashboard("plant").path("title").asText()).isEqualTo("Weir, weir in plant");
    assertThat(dashboard("default").path("uid").asText()).isEqualTo("weir");
  }

  /**
   * Sums over all processes are of one release: one namespace, plant and job are chosen. Gateways
   * and {@code weir events} are jobs of their own: each has its own line.
   */
  @Test
  void sums_areOneReleases() throws IOException {
    JsonNode dashboard = dashboard("plant");
    for (JsonNode variable : dashboard.path("templating").path("list")) {
      if (!variable.path("name").asText().equals("datasource")) {
        assertThat(variable.path("multi").asBoolean()).as(variable.toString()).isFalse();
        assertThat(variable.path("includeAll").asBoolean()).as(variable.toString()).isFalse();
      }
    }
    for (String query : dashboard.findValuesAsText("expr")) {
      assertThat(query)
          .contains("cluster=~\"$cluster\", namespace=~\"$namespace\", plant=~\"$plant\"");
      if (!query.matches(
          "(?s).*weir_(publisher|mqtt|sparkplug|edge|serve|events|groups|handlers|import|sink|collect|certificate|waiting)_.*")) {
        assertThat(query).contains("job=~\"$job\"");
      }
    }
  }
}
