package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  @Test
  void twoReleases_haveADashboardEach() throws IOException {
    assertThat(dashboard("plant").path("uid").asText()).isEqualTo("plant-weir");
    assertThat(dashboard("plant").path("title").asText()).isEqualTo("Weir, weir in plant");
    assertThat(dashboard("default").path("uid").asText()).isEqualTo("weir");
  }

  /**
   * Sums over all processes are of one release: one namespace and one job are chosen. Gateways and
   * {@code weir events} are jobs of their own: each has its own line.
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
      assertThat(query).contains("namespace=~\"$namespace\"");
      if (!query.matches("(?s).*weir_(publisher|events|groups)_.*")) {
        assertThat(query).contains("job=~\"$job\"");
      }
    }
  }
}
