package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cli.WeirPlan;
import java.nio.file.Files;
import java.nio.file.Path;
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
  }

  private static String replicas(Path values) throws Exception {
    return Files.readAllLines(values).stream()
        .filter(line -> line.startsWith("replicas: "))
        .findFirst()
        .orElseThrow()
        .substring("replicas: ".length());
  }
}
