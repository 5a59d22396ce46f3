package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.LintResult;
import io.weir.cli.WeirPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the chart takes the values of a plan. */
class PlanValuesTest {
  @TempDir private Path dir;

  @Test
  void values_renderAsTheyWerePlanned() throws Exception {
    Path values = dir.resolve("values.yaml");
    int status =
        WeirPlan.run(
            "--rate=2M/s",
            "--sensors=500k",
            "--period=1s",
            "--lateness=1m",
            "--rollups=1m,1h",
            "--statistics=first_last,histogram",
            "--standbys=1",
            "--values=" + values);

    assertThat(status).isZero();
    String rendered = HelmChart.renderWith(Files.readString(values));
    Manifest pods =
        Manifest.all(rendered).stream()
            .filter(manifest -> manifest.source().equals("statefulset.yaml"))
            .findFirst()
            .orElseThrow();
    assertThat(pods.at("spec", "replicas").toString()).isEqualTo(replicas(values));
    assertThat(rendered).contains("WEIR_ROLLUPS", "1m,1h", "WEIR_ALLOWED_LATENESS");
    LintResult lint = HelmChart.lintWith(dir, Files.readString(values));
    assertThat(lint.isFailed()).as("%s", lint.getMessages()).isFalse();
  }

  @Test
  void valuesOfEventsAndSink_renderAsTheyWerePlanned() throws Exception {
    Path values = dir.resolve("values.yaml");
    int status =
        WeirPlan.run(
            "--rate=20k/s",
            "--sensors=20k",
            "--rollups=1m",
            "--hopping=5m",
            "--hopping-sensors=2k",
            "--status",
            "--events=2k/s",
            "--scheduled=10/s",
            "--timers=100k",
            "--fold-keys=1k",
            "--groups=500",
            "--events-pods=3",
            "--sink",
            "--sink-retention=90d",
            "--repeat=30s",
            "--values=" + values);

    assertThat(status).isZero();
    String rendered = HelmChart.renderWith(Files.readString(values));
    assertThat(rendered)
        .contains("WEIR_HOPPING", "WEIR_STATUS", "WEIR_FOLD_QUIET", "WEIR_GROUPS_SIZE")
        .contains(
            "WEIR_SINK_RETENTION",
            "WEIR_EDGE_DEDUP_BYTES",
            "jdbc:postgresql://postgresql:5432/weir");
    Manifest events =
        Manifest.all(rendered).stream()
            .filter(manifest -> manifest.source().equals("events-statefulset.yaml"))
            .filter(manifest -> "StatefulSet".equals(manifest.at("kind")))
            .findFirst()
            .orElseThrow();
    assertThat(events.at("spec", "replicas").toString()).isEqualTo("3");
    assertThat(Manifest.all(rendered))
        .anyMatch(manifest -> manifest.source().equals("sink-deployment.yaml"));
    LintResult lint = HelmChart.lintWith(dir, Files.readString(values));
    assertThat(lint.isFailed()).as("%s", lint.getMessages()).isFalse();
  }

  @Test
  void valuesThatTheChartDoesNotTake_failTheLint() throws Exception {
    assertThat(HelmChart.lintWith(dir, "replicas: 65").isFailed()).isTrue();
  }

  @Test
  void whatCannotBe_isRefusedInOneLine() {
    for (String option :
        List.of(
            "--hopping=15s",
            "--hopping-sensors=5",
            "--groups=5",
            "--fold-keys=5",
            "--sink-retention=90d")) {
      assertThat(WeirPlan.run("--rate=1k", "--sensors=1k", option)).as(option).isEqualTo(2);
    }
  }

  private static String replicas(Path values) throws Exception {
    return Files.readAllLines(values).stream()
        .filter(line -> line.startsWith("replicas: "))
        .findFirst()
        .orElseThrow()
        .substring("replicas: ".length());
  }
}
