package io.weir.cli.doctor;

import io.weir.cli.hot.HotReport;
import io.weir.cli.pages.Exposition;
import io.weir.cli.pages.JsonTree;
import io.weir.cli.pages.Processes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The metrics pages of the processes.
 *
 * @param metrics of each process that answered, by its address
 * @param hot what sends most, where a process of weir run was asked
 * @param silent processes that gave no page, each with why
 * @param earlier metrics of those that answered at the first look, too, as they were then
 */
record Pages(
    Map<String, Exposition> metrics,
    Optional<HotReport> hot,
    Map<String, String> silent,
    Map<String, Exposition> earlier) {
  static final Pages NONE = new Pages(Map.of(), Optional.empty(), Map.of());

  private static final int TOP = 20;

  /** Of one look. */
  Pages(Map<String, Exposition> metrics, Optional<HotReport> hot, Map<String, String> silent) {
    this(metrics, hot, silent, Map.of());
  }

  /** The same after a first look. */
  Pages after(Pages first) {
    return new Pages(metrics, hot, silent, first.metrics);
  }

  /**
   * Asks each process; one that does not answer is noted, and the others are asked all the same.
   *
   * @throws UncheckedIOException if an address is none
   */
  static Pages ask(Processes processes) {
    Map<String, Exposition> metrics = new LinkedHashMap<>();
    Map<String, String> silent = new LinkedHashMap<>();
    List<JsonTree> heaviest = new ArrayList<>();
    for (Processes.Answer answer : answers(processes)) {
      if (answer.failure().isPresent()) {
        silent.put(answer.process(), answer.failure().get());
        continue;
      }
      Exposition page = new Exposition(answer.text());
      try {
        if (page.has("weir_sensors")) { // Others, such as weir sink, have no such page.
          heaviest.add(JsonTree.parse(processes.page(answer.address(), "/hot")));
        }
        metrics.put(answer.process(), page);
      } catch (IOException e) {
        silent.put(answer.process(), e.getMessage()); // It ended meanwhile.
      }
    }
    Optional<HotReport> hot =
        heaviest.isEmpty() ? Optional.empty() : Optional.of(HotReport.of(heaviest, TOP));
    return new Pages(metrics, hot, silent);
  }

  private static List<Processes.Answer> answers(Processes processes) {
    try {
      return processes.ask("/metrics");
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }
}
