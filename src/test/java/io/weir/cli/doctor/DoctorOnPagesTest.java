package io.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cli.Exposition;
import io.weir.cli.Processes;
import io.weir.cli.hot.HotReport;
import io.weir.cli.hot.HotRow;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the doctor reads from the pages of processes. */
class DoctorOnPagesTest {
  private static Examination with(String... pages) {
    Map<String, Exposition> metrics = new java.util.TreeMap<>();
    for (int i = 0; i < pages.length; i++) {
      metrics.put("10.0.0." + i + ":8080", new Exposition(pages[i]));
    }
    return with(new Pages(metrics, Optional.empty(), Map.of()));
  }

  private static Examination with(Pages pages) {
    return new Examination(null, null, Map.of(), Set.of(), List.of(), null, pages);
  }

  @Test
  void everyCheck_isInTheTableOfOperations() throws Exception {
    String page = Files.readString(Path.of("docs", "operations.md"));

    assertThat(Doctor.names()).isNotEmpty();
    assertThat(Doctor.names())
        .allSatisfy(name -> assertThat(page).contains("\n| `" + name + "` | "));
  }

  @Test
  void processThatDoesNotAnswer_isFound_andKeepsNobodyFromBeingAsked() throws Exception {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    Pages pages = Pages.ask(new Processes(List.of("http://127.0.0.1:" + free)));

    List<Finding> findings = new ProcessCheck().look(with(pages));
    assertThat(findings).hasSize(1);
    assertThat(findings.get(0).severity()).isEqualTo(Severity.BROKEN);
    assertThat(findings.get(0).what()).contains("127.0.0.1:" + free + " does not answer");
  }

  @Test
  void processThatIsNotReady_isFound() {
    assertThat(new ProcessCheck().look(with("weir_ready 0.0", "weir_ready 1.0")))
        .extracting(Finding::what)
        .containsExactly("10.0.0.0:8080 is not ready");
  }

  @Test
  void batchesThatDidNotCome_areAddedUpByGateway() {
    String one = "weir_batches_lost{gateway=\"line-7\"} 2.0\nweir_batches_lost_for_good_total 3.0";
    String other =
        "weir_batches_lost{gateway=\"line-7\"} 4.0\nweir_batches_lost_for_good_total 0.0";

    assertThat(new GapsCheck().look(with(one, other)))
        .extracting(Finding::what)
        .containsExactly(
            "batches are missing: {gateway=\"line-7\"} 6",
            "3 batches never came, since the processes started");
    assertThat(new GapsCheck().look(with("weir_batches_lost{gateway=\"line-7\"} 0.0"))).isEmpty();
  }

  @Test
  void limitThatIsNearlyReached_isFoundOnce() {
    String page = "weir_cap_used{cap=\"max_sensors\"} 0.%d";

    assertThat(new LimitsCheck().look(with(page.formatted(85), page.formatted(92))))
        .extracting(Finding::what)
        .containsExactly("92 % of {cap=\"max_sensors\"} are used");
    assertThat(new LimitsCheck().look(with(page.formatted(50)))).isEmpty();
  }

  @Test
  void sinkAndCollect_thatLackTheirDatabase_orReject_orWait_areFound() {
    List<Finding> findings =
        new PostgresCheck()
            .look(
                with(
                    """
                    weir_sink_connected 0.0
                    weir_sink_rejects_total{reason="TOO_LARGE"} 2.0
                    weir_sink_delay_seconds 301.0
                    weir_sink_lost_total 1.0
                    """,
                    """
                    weir_collect_connected 1.0
                    weir_collect_active 0.0
                    weir_collect_delay_seconds 1.0
                    weir_collect_held_back_seconds{by="prepared"} 900.0
                    """));

    assertThat(findings)
        .extracting(Finding::what)
        .anySatisfy(what -> assertThat(what).contains("sink has no connection"))
        .anySatisfy(what -> assertThat(what).contains("sink rejected 2 {reason=\"TOO_LARGE\"}"))
        .anySatisfy(what -> assertThat(what).contains("sink waits for 301 s"))
        .anySatisfy(what -> assertThat(what).contains("sink skipped records"))
        .anySatisfy(what -> assertThat(what).contains("no process of weir collect"))
        .anySatisfy(what -> assertThat(what).contains("holds rows back for 900 s"))
        .hasSize(6);
    String well = "weir_sink_connected 1.0\nweir_collect_active 1.0\nweir_collect_connected 1.0\n";
    assertThat(new PostgresCheck().look(with(well, "weir_collect_active 0.0"))).isEmpty();
  }

  @Test
  void sensorThatGivesMostOfALittle_isHot_andOneOfAFewAlikeIsNot() {
    List<HotRow> rows = new ArrayList<>();
    rows.add(new HotRow("vib-1", 3, 14_400, false, 0.97, 0.6));
    for (int i = 0; i < 19; i++) {
      rows.add(new HotRow("s-" + i, i, 240, false, 0.5, 0.01));
    }
    assertThat(new HotCheck().look(with(hot(24_000, rows))))
        .extracting(Finding::what)
        .containsExactly("sensor vib-1 gives 60 % of all readings and 97 % of partition 3");

    List<HotRow> alike = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      alike.add(new HotRow("s-" + i, i, 8_000, false, 1, 0.33));
    }
    assertThat(new HotCheck().look(with(hot(24_000, alike)))).isEmpty();
  }

  private static Pages hot(long readings, List<HotRow> sensors) {
    HotReport report = new HotReport(64, readings, 1, sensors, List.of());
    return new Pages(Map.of(), Optional.of(report), Map.of());
  }
}
