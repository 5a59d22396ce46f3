package io.weir.lab.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The ratios that are reported by name: those that have a target, and some beside them. */
public final class Ratios {
  private static final Figure RATE = Figure.READINGS_PER_SECOND;
  private static final Figure CPU = Figure.CPU_SECONDS_PER_MILLION;

  private record Named(String name, Figure figure, Cell of, Cell over) {}

  /** In words, by how a ratio's name begins; the first that fits counts. */
  private static final Map<String, String> TARGETS = new LinkedHashMap<>();

  static {
    TARGETS.put("weir_over_loop_same_threads_dense", "0.75 or more");
    TARGETS.put("weir_over_loop_dense", "1 or more");
    TARGETS.put("weir_over_loop_wide_columnar", "0.5 or more");
    TARGETS.put("cpu_weir_over_loop_dense", "1.5 or less");
    TARGETS.put("weir_over_dsl_dense_row", "40 or more");
    TARGETS.put("cpu_weir_1m_over_10k_sensors", "1.3 or less");
    TARGETS.put("cpu_rollups_over_none", "1.25 or less");
    TARGETS.put("cpu_status_over_none", "1.15 or less");
    TARGETS.put("signed_over_unsigned", "0.7 or more");
    TARGETS.put("fold_over_dsl", "10 or more");
    TARGETS.put("cpu_flink_chained_over_weir_dense", "1.2 or more");
    TARGETS.put("broker_cpu_weir_on_over_off", "1.3 or less");
    TARGETS.put("bytes_written_weir_on_over_off", "1.3 or less");
    TARGETS.put("cpu_latest_over_none_fleet", "1.15 or less");
    TARGETS.put("publisher_over_single_sends", "20 or more");
  }

  private Ratios() {}

  /** Each ratio of which both sides were measured. */
  public static Map<String, Spread> of(BenchResults results) {
    Map<String, Spread> ratios = new LinkedHashMap<>();
    for (Named named : catalogue()) {
      results
          .ratio(named.figure(), named.of(), named.over())
          .ifPresent(spread -> ratios.put(named.name(), spread));
    }
    return ratios;
  }

  /** What a ratio should be, in words; empty where nobody says. */
  static String targetOf(String name) {
    return TARGETS.entrySet().stream()
        .filter(target -> name.startsWith(target.getKey()))
        .map(target -> "target " + target.getValue())
        .findFirst()
        .orElse("");
  }

  private static List<Named> catalogue() {
    List<Named> all = new ArrayList<>();
    for (LoadShape shape : LoadShape.values()) {
      for (LoadForm form : LoadForm.values()) {
        String load = name(shape, form);
        Cell weir = new Cell(load, Subject.WEIR);
        Cell loop = new Cell(load, Subject.LOOP);
        Cell sameThreads = new Cell(load, Subject.LOOP_SAME_THREADS);
        Cell before = new Cell(load, Subject.WEIR_BEFORE);
        all.add(new Named("weir_over_loop_" + load, RATE, weir, loop));
        all.add(new Named("weir_over_loop_same_threads_" + load, RATE, weir, sameThreads));
        all.add(new Named("cpu_weir_over_loop_" + load, CPU, weir, loop));
        all.add(new Named("weir_over_before_" + load, RATE, weir, before));
        all.add(new Named("cpu_weir_over_before_" + load, CPU, weir, before));
        addPeers(load, all);
      }
    }
    for (LoadForm form : LoadForm.values()) {
      all.add(
          new Named(
              "cpu_weir_1m_over_10k_sensors_" + form.name().toLowerCase(Locale.ROOT),
              CPU,
              new Cell(name(LoadShape.MANY, form), Subject.WEIR),
              new Cell(name(LoadShape.DENSE, form), Subject.WEIR)));
    }
    Cell rollups = new Cell(BenchPlan.ROLLUPS, Subject.WEIR_ROLLUPS);
    Cell noRollups = new Cell(BenchPlan.ROLLUPS, Subject.WEIR);
    all.add(new Named("rollups_over_none", RATE, rollups, noRollups));
    all.add(new Named("cpu_rollups_over_none", CPU, rollups, noRollups));
    for (LoadForm form : LoadForm.values()) {
      String group = BenchPlan.signed(form);
      String suffix = "_" + form.name().toLowerCase(Locale.ROOT);
      Cell signed = new Cell(group, Subject.WEIR_SIGNED);
      Cell unsigned = new Cell(group, Subject.WEIR);
      all.add(new Named("signed_over_unsigned" + suffix, RATE, signed, unsigned));
      all.add(new Named("cpu_signed_over_unsigned" + suffix, CPU, signed, unsigned));
    }
    Cell status = new Cell(BenchPlan.EVENTS_STATUS, Subject.WEIR_STATUS);
    Cell noStatus = new Cell(BenchPlan.EVENTS_STATUS, Subject.WEIR);
    all.add(new Named("status_over_none", RATE, status, noStatus));
    all.add(new Named("cpu_status_over_none", CPU, status, noStatus));
    Cell folds = new Cell(BenchPlan.EVENTS_FOLD, Subject.FOLDS);
    Cell foldsDsl = new Cell(BenchPlan.EVENTS_FOLD, Subject.FOLDS_DSL);
    all.add(new Named("fold_over_dsl", RATE, folds, foldsDsl));
    all.add(new Named("cpu_fold_over_dsl", CPU, folds, foldsDsl));
    addFleet(all);
    String denseRow = name(LoadShape.DENSE, LoadForm.ROW);
    all.add(
        new Named(
            "weir_over_dsl_" + denseRow,
            RATE,
            new Cell(denseRow, Subject.WEIR),
            new Cell(denseRow, Subject.DSL)));
    all.add(
        new Named(
            "publisher_over_single_sends",
            RATE,
            new Cell(BenchPlan.PUBLISH, Subject.PUBLISHER),
            new Cell(BenchPlan.PUBLISH, Subject.SINGLE_SENDS)));
    return all;
  }

  private static void addFleet(List<Named> all) {
    Cell on = new Cell(BenchPlan.FLEET, Subject.WEIR);
    Cell before = new Cell(BenchPlan.FLEET, Subject.WEIR_BEFORE);
    Cell off = new Cell(BenchPlan.FLEET, Subject.OFF);
    Figure brokerCpu = Figure.BROKER_CPU_SECONDS_PER_MILLION;
    Figure changelog = Figure.CHANGELOG_WRITTEN_BYTES_PER_READING;
    all.add(new Named("broker_cpu_weir_on_over_off", brokerCpu, on, off));
    all.add(new Named("bytes_written_weir_on_over_off", Figure.WRITTEN_BYTES_PER_READING, on, off));
    Cell latest = new Cell(BenchPlan.FLEET, Subject.WEIR_LATEST);
    all.add(new Named("cpu_latest_over_none_fleet", CPU, latest, on));
    all.add(new Named("changelog_weir_over_before_fleet", changelog, on, before));
    all.add(new Named("cpu_weir_over_before_fleet", CPU, on, before));
    all.add(new Named("broker_cpu_weir_over_before_fleet", brokerCpu, on, before));
    all.add(new Named("p99_weir_over_before_fleet", Figure.P99_MS, on, before));
  }

  /** Beside the pace, how many readings a second of CPU Weir takes for each that the peer takes. */
  private static void addPeers(String load, List<Named> all) {
    Cell weir = new Cell(load, Subject.WEIR);
    for (Subject subject : Subject.values()) {
      if (subject.isRival()) {
        Cell peer = new Cell(load, subject);
        all.add(new Named("weir_over_" + subject.key() + "_" + load, RATE, weir, peer));
        all.add(new Named("cpu_" + subject.key() + "_over_weir_" + load, CPU, peer, weir));
      }
    }
  }

  private static String name(LoadShape shape, LoadForm form) {
    return new Load(shape, form, 1).name();
  }
}
