package io.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.cli.hot.HotReport;
import io.weir.cli.hot.HotRow;
import io.weir.cli.pages.Exposition;
import io.weir.cli.pages.Processes;
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
  private static final String PROCESS = "10.0.0.0:8080";

  /** One process, whose page was another one at the first look. */
  private static Examination with(Map<String, Exposition> earlier, String page) {
    Map<String, Exposition> metrics = Map.of(PROCESS, new Exposition(page));
    return with(new Pages(metrics, Optional.empty(), Map.of(), earlier));
  }

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
  void everyCheck_isInTheReference_andInTheTableOfItsTests() throws Exception {
    assertThat(Doctor.names()).isNotEmpty();
    for (String file : List.of("reference/doctor.md", "reference/tested-faults.md")) {
      String page = Files.readString(Path.of("docs", file));
      assertThat(Doctor.names())
          .allSatisfy(name -> assertThat(page).contains("\n| `" + name + "` | "));
    }
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
            "3 batches were lost, since the start, none during this check");
    assertThat(new GapsCheck().look(with("weir_batches_lost{gateway=\"line-7\"} 0.0"))).isEmpty();
  }

  /** A counter says for ever what happened once. */
  @Test
  void whatWasCounted_isWrong_whereItGrowsOrTheStartWasLately_andElseANote() {
    String page = "weir_batches_lost_for_good_total %s\nprocess_uptime_seconds %s\n";
    String old = page.formatted("3.0", "259300.0");

    assertThat(new GapsCheck().look(with(Map.of(), page.formatted("3.0", "1200.0"))))
        .extracting(Finding::severity, Finding::what)
        .containsExactly(
            tuple(
                Severity.RISK,
                "3 batches were lost, in the 20 min since the start, none during this" + " check"));
    assertThat(new GapsCheck().look(with(Map.of(PROCESS, new Exposition(old)), old)))
        .extracting(Finding::severity, Finding::what)
        .containsExactly(
            tuple(
                Severity.NOTE,
                "3 batches were lost, in the 3 d since the start, none during this check"));
    Exposition less = new Exposition(page.formatted("1.0", "259290.0"));
    assertThat(new GapsCheck().look(with(Map.of(PROCESS, less), old)))
        .extracting(Finding::severity, Finding::what)
        .containsExactly(
            tuple(
                Severity.RISK,
                "3 batches were lost, in the 3 d since the start, 2 of them during this check"));
  }

  @Test
  void startBetweenTheLooks_countsFromZero() {
    String page = "weir_threads_died_total %s\nprocess_uptime_seconds %s\n";
    Exposition before = new Exposition(page.formatted("7.0", "99999.0"));

    assertThat(new ProcessCheck().look(with(Map.of(PROCESS, before), page.formatted("1.0", "4.0"))))
        .extracting(Finding::severity, Finding::what)
        .containsExactly(
            tuple(
                Severity.RISK,
                PROCESS
                    + ": 1 threads died, in the 4 s since the start, 1 of them during this check"));
  }

  @Test
  void lateReadings_areThoseBetweenTheLooks_whereTheyAreMany() {
    String page =
        "weir_readings_total{outcome=\"aggregated\",reason=\"\"} %d\n"
            + "weir_readings_total{outcome=\"late\",reason=\"\"} %d\n"
            + "process_uptime_seconds 86400.0\n";
    Map<String, Exposition> before =
        Map.of(PROCESS, new Exposition(page.formatted(90_000, 10_000)));

    assertThat(new ProcessCheck().look(with(before, page.formatted(94_000, 11_000))))
        .extracting(Finding::severity, Finding::what)
        .containsExactly(
            tuple(Severity.RISK, "20.0 % of the readings during this check were late"));
    assertThat(new ProcessCheck().look(with(before, page.formatted(99_990, 10_010))))
        .extracting(Finding::severity, Finding::what)
        .containsExactly(
            tuple(Severity.NOTE, "9.1 % of the readings in the 24 h since the start were late"));
    assertThat(new ProcessCheck().look(with(before, page.formatted(90_090, 10_010))))
        .extracting(Finding::severity)
        .as("too few came to judge by them alone, and some were late")
        .containsExactly(Severity.RISK);
  }

  @Test
  void notes_areNotWrong() {
    Finding note = new GapsCheck().note("a", "b", "c");
    Finding risk = new GapsCheck().risk("d", "e", "f");

    Doctor.Diagnosis past = new Doctor.Diagnosis(List.of(note), List.of());
    assertThat(past.isWell()).isTrue();
    assertThat(DoctorText.lines(past))
        .startsWith("NOTE    gaps: a")
        .endsWith("no findings, and 1 note");
    Doctor.Diagnosis now = new Doctor.Diagnosis(List.of(risk, note), List.of());
    assertThat(now.isWell()).isFalse();
    assertThat(DoctorText.lines(now)).endsWith("1 finding, and 1 note");
  }

  @Test
  void limitThatIsNearlyReached_isFoundOnce() {
    String page = "weir_cap_used{cap=\"max_sensors\"} 0.%d";

    assertThat(new LimitsCheck().look(with(page.formatted(85), page.formatted(92))))
        .extracting(Finding::what)
        .containsExactly("92 % of {cap=\"max_sensors\"} is used");
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
                    weir_sink_stalled_seconds 61.0
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
        .anySatisfy(what -> assertThat(what).contains("sink has written nothing for 61 s"))
        .anySatisfy(what -> assertThat(what).contains("sink skipped 1 offsets"))
        .anySatisfy(what -> assertThat(what).contains("no process of weir collect"))
        .anySatisfy(what -> assertThat(what).contains("has blocked rows for 900 s"))
        .hasSize(7);
    String well =
        "weir_sink_connected 1.0\nweir_sink_stalled_seconds 59.0\nweir_collect_active 1.0\n"
            + "weir_collect_connected 1.0\n";
    assertThat(new PostgresCheck().look(with(well, "weir_collect_active 0.0"))).isEmpty();
  }

  @Test
  void importThatStalls_orRefuses_isFound() {
    String page =
        """
        weir_import_records_total{outcome="mapped",topic="raw"} %d.0
        weir_import_records_total{outcome="refused",topic="raw"} 10.0
        weir_import_lag_records{topic="raw",partition="0"} 7.0
        weir_import_stalled_seconds %d.0
        """;
    assertThat(new ImportCheck().look(with(page.formatted(900, 61))))
        .extracting(Finding::what)
        .anySatisfy(what -> assertThat(what).contains("nothing for 61 s; 7 records wait"))
        .anySatisfy(what -> assertThat(what).contains("refused 10 of 910 records"))
        .hasSize(2);
    assertThat(new ImportCheck().look(with(page.formatted(1_000, 59)))).isEmpty();
  }

  private static final String EDGE =
      """
      weir_edge_suspended %s
      weir_edge_readings_total{input="influx",outcome="accepted"} 900.0
      weir_edge_readings_total{input="influx",outcome="skipped"} 9000.0
      weir_edge_readings_total{input="mqtt",outcome="refused"} %s
      weir_edge_id_collisions_total %s
      weir_edge_dedup_evicted_total{what="identities"} 0.0
      weir_mqtt_connected %s
      weir_mqtt_sessions_lost_total %s
      weir_mqtt_messages_total{qos="0"} %s
      weir_mqtt_messages_total{qos="1"} 100.0
      weir_mqtt_pending %s
      process_uptime_seconds 90000.0
      """;

  @Test
  void edgeThatLosesOrRefuses_isFound_andAQuietOneIsNot() {
    Exposition quiet = new Exposition(quietPage());
    String ill = EDGE.formatted("1.0", "10.0", "3.0", "0.0", "1.0", "7.0", "20.0");

    assertThat(new InputsCheck().look(with(Map.of(PROCESS, quiet), ill)))
        .extracting(Finding::severity, Finding::what)
        .containsExactly(
            tuple(
                Severity.BROKEN,
                PROCESS + " accepts no readings: spool or queue are full, or the disk fails"),
            tuple(Severity.BROKEN, PROCESS + " has no connection to the broker of weir.mqtt.url"),
            tuple(
                Severity.RISK,
                PROCESS
                    + " refused 10 of 910 readings of its senders in the 25 h since the start, 1 of"
                    + " them during this check"),
            tuple(
                Severity.RISK,
                PROCESS
                    + ": the MQTT broker lost 1 sessions in the 25 h since the start, 1 of them"
                    + " during this check"),
            tuple(
                Severity.RISK,
                PROCESS
                    + ": 3 readings have the sensor id of another series in the 25 h since the"
                    + " start, 3 of them during this check"),
            tuple(Severity.NOTE, PROCESS + ": 7 of 107 MQTT messages were published with QoS 0"),
            tuple(
                Severity.RISK,
                PROCESS
                    + ": 20 MQTT messages wait for the disk, as many as Mosquitto sends at a"
                    + " time"));
    assertThat(new InputsCheck().look(with(Map.of(), quietPage()))).isEmpty();
    assertThat(new InputsCheck().look(with("weir_partitions 64.0"))).isEmpty();
  }

  private static String quietPage() {
    return EDGE.formatted("0.0", "9.0", "0.0", "1.0", "0.0", "0.0", "20.0");
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
        .containsExactly("sensor vib-1 sends 60 % of all readings and 97 % of partition 3");

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
