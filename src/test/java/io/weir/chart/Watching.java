package io.weir.chart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The queries of the alerts and of the dashboard, as the chart renders them. */
final class Watching {
  private static final Pattern LABEL_IN_TEXT =
      Pattern.compile("\\{\\{\\s*(?:\\$labels\\.)?([a-z]\\w*)\\s*\\}\\}");
  private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.*), (\\w+)\\)");

  /**
   * One query.
   *
   * @param owner the alert or panel it is of
   * @param text the query
   * @param shown labels that are put into texts beside it
   */
  record Query(String owner, String text, List<String> shown) {}

  private Watching() {}

  static List<Query> queries() {
    List<Query> queries = new ArrayList<>(alerts());
    queries.addAll(dashboard());
    return queries;
  }

  /** The rules of the PrometheusRule, group by group, as a rule file has them. */
  static Object rules() {
    return Manifest.only(monitoring(), "PrometheusRule").at("spec");
  }

  private static List<Query> alerts() {
    List<Query> queries = new ArrayList<>();
    for (Object group : YamlTree.list(YamlTree.at(rules(), "groups"))) {
      for (Object rule : YamlTree.list(YamlTree.at(group, "rules"))) {
        queries.add(
            new Query(
                "alert " + YamlTree.at(rule, "alert"),
                (String) YamlTree.at(rule, "expr"),
                labelsIn(YamlTree.at(rule, "annotations").toString())));
      }
    }
    return queries;
  }

  private static List<Query> dashboard() {
    List<Query> queries = new ArrayList<>();
    JsonNode dashboard = dashboardJson();
    for (JsonNode panel : dashboard.path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        queries.add(
            new Query(
                "panel " + panel.path("title").asText(),
                target.path("expr").asText(),
                labelsIn(target.path("legendFormat").asText())));
      }
    }
    for (JsonNode variable : dashboard.path("templating").path("list")) {
      Matcher values = LABEL_VALUES.matcher(variable.path("query").path("query").asText());
      if (values.matches()) {
        queries.add(
            new Query(
                "variable " + variable.path("name").asText(),
                values.group(1),
                List.of(values.group(2))));
      }
    }
    return queries;
  }

  static JsonNode dashboardJson() {
    String json =
        (String)
            monitoring().stream()
                .filter(manifest -> manifest.source().equals("dashboard.yaml"))
                .findFirst()
                .orElseThrow()
                .at("data", "weir.json");
    try {
      return new ObjectMapper().readTree(json);
    } catch (IOException e) {
      throw new AssertionError("the dashboard is no JSON", e);
    }
  }

  private static List<String> labelsIn(String text) {
    return LABEL_IN_TEXT.matcher(text).results().map(found -> found.group(1)).toList();
  }

  private static List<Manifest> monitoring() {
    return Manifest.all(HelmChart.render(HelmChart.ciFile("monitoring")));
  }
}
