package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** That each alert fires when it should, and then only. */
class AlertsTest {
  private static final Path CASES = Path.of("src/test/resources/alerts-test.yaml");

  @TempDir private Path dir;

  @Test
  void rules_areWhatPrometheusTakes() throws Exception {
    Tool.Ended ended = Tool.assumed("promtool").run(List.of("check", "rules", rules().toString()));

    assertThat(ended.status()).as(ended.out() + ended.err()).isZero();
  }

  @Test
  void alerts_fireWhenTheyShould_andThenOnly() throws Exception {
    Tool promtool = Tool.assumed("promtool");
    rules();
    ObjectMapper json = new ObjectMapper();
    Map<String, Object> all = YamlTree.read(Files.readString(CASES));
    List<Object> hours = new ArrayList<>(YamlTree.list(all.get("tests")));
    List<Object> days = hours.stream().filter(AlertsTest::isOfADay).toList();
    hours.removeAll(days);
    assertThat(days).isNotEmpty();
    Path ofADay = dir.resolve("alerts-of-a-day.yaml");
    Files.writeString(ofADay, json.writeValueAsString(rulesOf(days)));

    all.put("tests", hours);
    assertPasses(
        promtool, Files.writeString(dir.resolve("hours.yaml"), json.writeValueAsString(all)));
    all.put("tests", days);
    all.put("rule_files", List.of(ofADay.getFileName().toString()));
    assertPasses(
        promtool, Files.writeString(dir.resolve("days.yaml"), json.writeValueAsString(all)));
  }

  private static void assertPasses(Tool promtool, Path cases) throws Exception {
    Tool.Ended ended = promtool.run(List.of("test", "rules", cases.toString()));
    assertThat(ended.status()).as(ended.out() + ended.err()).isZero();
  }

  /** Whether a case lasts for a day: then the 60 other rules would take ten times its CPU. */
  private static boolean isOfADay(Object test) {
    return YamlTree.list(YamlTree.at(test, "alert_rule_test")).stream()
        .anyMatch(expected -> YamlTree.at(expected, "eval_time").toString().matches("2\\dh.*"));
  }

  /** The groups of rules with those alone that the cases ask for. */
  private static Object rulesOf(List<Object> tests) {
    Set<Object> names = new HashSet<>();
    for (Object test : tests) {
      for (Object expected : YamlTree.list(YamlTree.at(test, "alert_rule_test"))) {
        names.add(YamlTree.at(expected, "alertname"));
      }
    }
    List<Object> rules = new ArrayList<>();
    for (Object group : YamlTree.list(YamlTree.at(Watching.rules(), "groups"))) {
      YamlTree.list(YamlTree.at(group, "rules")).stream()
          .filter(rule -> names.contains(YamlTree.at(rule, "alert")))
          .forEach(rules::add);
    }
    assertThat(rules).hasSameSizeAs(names);
    return Map.of("groups", List.of(Map.of("name", "of-a-day", "rules", rules)));
  }

  /** A planned restart, pod by pod: no partition moves, and each pod comes back elsewhere. */
  @ParameterizedTest
  @CsvSource({"3, 60", "12, 45"})
  void rollingRestart_wakesNobody(int pods, int secondsEach) throws Exception {
    Tool promtool = Tool.assumed("promtool");
    rules();
    StringBuilder cases =
        new StringBuilder(
            """
            rule_files: [alerts.yaml]
            evaluation_interval: 1m
            tests:
              - interval: 5s
                input_series:
            """);
    int end = 120 + pods * secondsEach / 5 + 120;
    for (int pod = 0; pod < pods; pod++) {
      int own = 64 / pods + (pod < 64 % pods ? 1 : 0);
      int down = 120 + pod * secondsEach / 5;
      int up = down + secondsEach / 5 + 5;
      String series =
          "      - series: 'weir_partitions{namespace=\"plant\", job=\"plant/weir\", pod=\"weir-%d\","
              + " instance=\"10.0.%d.%d:8080\"}'%n        values: '%s'%n";
      cases.append(
          series.formatted(pod, 0, pod, "%dx%d stale _x%d".formatted(own, down - 1, end - down)));
      cases.append(series.formatted(pod, 1, pod, "_x%d %dx%d".formatted(up, own, end - up)));
    }
    cases.append("    alert_rule_test:\n");
    for (int minute = 5; minute < end * 5 / 60; minute++) {
      for (String alert : List.of("WeirPartitionsUnowned", "WeirAbsent")) {
        cases.append(
            "      - {eval_time: %dm, alertname: %s, exp_alerts: []}%n".formatted(minute, alert));
      }
    }

    Tool.Ended ended =
        promtool.run(
            List.of(
                "test", "rules", Files.writeString(dir.resolve("rolling.yaml"), cases).toString()));

    assertThat(ended.status()).as(ended.out() + ended.err()).isZero();
  }

  /** Whoever is woken reads what to do in the message, also where no page can be reached. */
  @Test
  void everyAlert_saysWhatToDo() {
    for (Object group : YamlTree.list(YamlTree.at(Watching.rules(), "groups"))) {
      for (Object rule : YamlTree.list(YamlTree.at(group, "rules"))) {
        assertThat((String) YamlTree.at(rule, "annotations", "action"))
            .as("%s", YamlTree.at(rule, "alert"))
            .hasSizeBetween(20, 200)
            .endsWith(".");
      }
    }
  }

  /** The cases leave no alert out: each is once seen to fire, and once to be silent. */
  @Test
  void everyAlert_hasACaseOfEachKind() throws IOException {
    Set<Object> firing = new HashSet<>();
    Set<Object> silent = new HashSet<>();
    Manifest cases = Manifest.all(Files.readString(CASES)).get(0);
    for (Object test : YamlTree.list(cases.at("tests"))) {
      for (Object expected : YamlTree.list(YamlTree.at(test, "alert_rule_test"))) {
        boolean fires = !YamlTree.list(YamlTree.at(expected, "exp_alerts")).isEmpty();
        (fires ? firing : silent).add(YamlTree.at(expected, "alertname"));
      }
    }

    Set<Object> alerts = new HashSet<>();
    for (Object group : YamlTree.list(YamlTree.at(Watching.rules(), "groups"))) {
      for (Object rule : YamlTree.list(YamlTree.at(group, "rules"))) {
        alerts.add(YamlTree.at(rule, "alert"));
      }
    }
    assertThat(firing).isEqualTo(alerts);
    assertThat(silent).isEqualTo(alerts);
  }

  /**
   * So a release that is wholly gone is seen at once, and one that autoscaling made larger is not
   * missed.
   */
  @Test
  void podsMissing_knowsHowManyThereAreToBe() {
    String pods =
        "(count(weir_partitions{namespace=\"plant\", pod=~\"weir-[0-9]+\"}) or vector(0))";

    assertThat(podsMissing("replicas: 3")).isEqualTo(pods + " < 3");
    assertThat(podsMissing("autoscaling: {kind: hpa, minReplicas: 4, maxReplicas: 9}"))
        .isEqualTo(pods + " < 4");
  }

  /** Pods of events and of the page are counted by themselves. */
  @Test
  void ownRules_ofOtherPods_fireWhenTheyShould_andThenOnly() throws Exception {
    Tool promtool = Tool.assumed("promtool");
    String own =
        """
        monitoring: {alerts: {enabled: true, general: false}}
        config: {weir.events: true, weir.fold: true}
        events: {enabled: true}
        serve: {enabled: true, clients: {secret: page}}
        """;
    Manifest rule = Manifest.only(Manifest.all(HelmChart.renderIn("plant", own)), "PrometheusRule");
    Files.writeString(
        dir.resolve("alerts.yaml"), new ObjectMapper().writeValueAsString(rule.at("spec")));
    String cases =
        """
        rule_files: [alerts.yaml]
        evaluation_interval: 1m
        tests:
          - interval: 1m
            input_series:
              - series: 'weir_partitions{namespace="plant", job="plant/weir", pod="weir-0"}'
                values: '32x50'
              - series: 'weir_partitions{namespace="plant", job="plant/weir", pod="weir-1"}'
                values: '32x50'
              - series: 'weir_partitions{namespace="plant", job="plant/weir-events", pod="weir-events-0"}'
                values: '64x50'
              - series: 'weir_partitions{namespace="plant", job="plant/weir-events", pod="weir-events-1"}'
                values: '64x10 _x40'
              - series: 'weir_serve_streams{namespace="plant", job="plant/weir", pod="weir-serve-5d8f-x2x"}'
                values: '0x10 _x40'
            alert_rule_test:
              - eval_time: 20m
                alertname: WeirPodsMissing
                exp_alerts: []
              - eval_time: 35m
                alertname: WeirPodsMissing
                exp_alerts:
                  - exp_labels: {severity: warning, namespace: plant, release: weir}
                    exp_annotations:
                      runbook_url: 'docs/operate/runbook.md#weirpodsmissing'
                      summary: '0 of 1 pods of weir-serve are there.'
                      description: 'One does not start, is not scheduled, or is not scraped.'
                      action: 'kubectl describe pods names the cause: scheduling, image, Secret or volume. If all run, check networkPolicy.metricsFrom.'
                  - exp_labels: {severity: warning, namespace: plant, release: weir}
                    exp_annotations:
                      runbook_url: 'docs/operate/runbook.md#weirpodsmissing'
                      summary: '1 of 2 pods of weir-events are there.'
                      description: 'One does not start, is not scheduled, or is not scraped.'
                      action: 'kubectl describe pods names the cause: scheduling, image, Secret or volume. If all run, check networkPolicy.metricsFrom.'
        """;

    Tool.Ended ended =
        promtool.run(
            List.of("test", "rules", Files.writeString(dir.resolve("own.yaml"), cases).toString()));

    assertThat(ended.status()).as(ended.out() + ended.err()).isZero();
  }

  private static Object podsMissing(String values) {
    String own = values + "\nmonitoring: {alerts: {enabled: true, general: false}}";
    Object groups =
        Manifest.only(Manifest.all(HelmChart.renderIn("plant", own)), "PrometheusRule")
            .at("spec", "groups");
    assertThat(YamlTree.list(groups)).hasSize(1);
    Object rules = YamlTree.at(YamlTree.list(groups).get(0), "rules");
    assertThat(YamlTree.list(rules)).hasSize(1);
    return YamlTree.at(YamlTree.list(rules).get(0), "expr");
  }

  /** The larger query, where all pods of a release are gone: promtool's cases know no namespace. */
  @Test
  void podsMissing_ofAReleaseThatIsWhollyGone_fires() throws Exception {
    Tool promtool = Tool.assumed("promtool");
    String own = "monitoring: {alerts: {enabled: true, general: false}}";
    Manifest rule = Manifest.only(Manifest.all(HelmChart.renderIn("plant", own)), "PrometheusRule");
    Files.writeString(
        dir.resolve("alerts.yaml"), new ObjectMapper().writeValueAsString(rule.at("spec")));
    String cases =
        """
        rule_files: [alerts.yaml]
        evaluation_interval: 1m
        tests:
          - interval: 1m
            input_series:
              - series: 'weir_partitions{namespace="plant", job="plant/weir", pod="weir-0"}'
                values: '32x10 _x40'
              - series: 'weir_partitions{namespace="plant", job="plant/weir", pod="weir-1"}'
                values: '32x10 _x40'
              - series: 'weir_partitions{namespace="other", job="other/weir", pod="weir-1"}'
                values: '64x50'
            alert_rule_test:
              - eval_time: 20m
                alertname: WeirPodsMissing
                exp_alerts: []
              - eval_time: 35m
                alertname: WeirPodsMissing
                exp_alerts:
                  - exp_labels: {severity: warning, namespace: plant, release: weir}
                    exp_annotations:
                      runbook_url: 'docs/operate/runbook.md#weirpodsmissing'
                      summary: '0 of 2 pods of weir are there.'
                      description: 'One does not start, is not scheduled, or is not scraped.'
                      action: 'kubectl describe pods names the cause: scheduling, image, Secret or volume. If all run, check networkPolicy.metricsFrom.'
        """;

    Tool.Ended ended =
        promtool.run(
            List.of(
                "test", "rules", Files.writeString(dir.resolve("gone.yaml"), cases).toString()));

    assertThat(ended.status()).as(ended.out() + ended.err()).isZero();
  }

  /** docs/operate/runbook.md has a section for each; those of critical alerts wake somebody. */
  @Test
  void everyAlert_isInTheManual() throws IOException {
    String manual = Files.readString(Path.of("docs/operate/runbook.md"));
    Map<String, String> severities = severities();

    assertThat(severities)
        .hasSizeGreaterThan(40)
        .allSatisfy(
            (name, severity) -> {
              assertThat(manual).containsOnlyOnce("\n### " + name + "\n");
              String section = manual.substring(manual.indexOf("\n### " + name + "\n") + 5);
              section = section.substring(0, section.indexOf("\n#"));
              assertThat(section)
                  .contains("\n- Check")
                  .containsPattern("(?m)^- (Act|Check and act): ");
              assertThat(section.contains("\n- Wake: yes."))
                  .as("%s wakes somebody", name)
                  .isEqualTo(severity.equals("critical"));
            });
    assertThat(manual.lines().filter(line -> line.startsWith("### ")))
        .as("no section of an alert that is gone")
        .allSatisfy(line -> assertThat(severities).containsKey(line.substring(4)));
  }

  /** Of each alert. */
  private static Map<String, String> severities() {
    Map<String, String> severities = new TreeMap<>();
    for (Object group : YamlTree.list(YamlTree.at(Watching.rules(), "groups"))) {
      for (Object rule : YamlTree.list(YamlTree.at(group, "rules"))) {
        severities.put(
            (String) YamlTree.at(rule, "alert"), (String) YamlTree.at(rule, "labels", "severity"));
      }
    }
    return severities;
  }

  /** The rules of the rendered PrometheusRule, as the file that the cases name. */
  private Path rules() throws IOException {
    Path file = dir.resolve("alerts.yaml");
    return Files.writeString(file, new ObjectMapper().writeValueAsString(Watching.rules()));
  }
}
