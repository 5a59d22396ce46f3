package io.weir.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.cli.hot.HotReport;
import io.weir.cli.pages.Exposition;
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
 * @param metrics pages of the processes that answered, by address
 * @param hot the heaviest sensors and gateways, if a process of weir run answered
 * @param silent processes without a page, each with the reason
 * @param earlier pages of the first sample, of processes that answered both times
 */
record Pages(
    Map<String, Exposition> metrics,
    Optional<HotReport> hot,
    Map<String, String> silent,
    Map<String, Exposition> earlier) {
  static final Pages NONE = new Pages(Map.of(), Optional.empty(), Map.of());

  private static final int TOP = 20;

  /** Pages of one sample. */
  Pages(Map<String, Exposition> metrics, Optional<HotReport> hot, Map<String, String> silent) {
    this(metrics, hot, silent, Map.of());
  }

  /** The same with the pages of an earlier sample. */
  Pages after(Pages first) {
    return new Pages(metrics, hot, silent, first.metrics);
  }

  /**
   * Fetches the pages of all processes; records those that do not answer.
   *
   * @throws UncheckedIOException if an address is invalid
   */
  static Pages ask(Processes processes) {
    Map<String, Exposition> metrics = new LinkedHashMap<>();
    Map<String, String> silent = new LinkedHashMap<>();
    List<JsonNode> heaviest = new ArrayList<>();
    for (Processes.Answer answer : answers(processes)) {
      if (answer.failure().isPresent()) {
        silent.put(answer.process(), answer.failure().get());
        continue;
      }
      Exposition page = new Exposition(answer.text());
      try {
        if (page.has("weir_sensors")) { // Other commands, such as weir sink, have no /hot.
          heaviest.add(new ObjectMapper().readTree(processes.page(answer.address(), "/hot")));
        }
        metrics.put(answer.process(), page);
      } catch (IOException e) {
        silent.put(answer.process(), e.getMessage()); // It ended in the meantime.
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
