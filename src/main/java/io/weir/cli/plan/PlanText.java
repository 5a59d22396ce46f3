package io.weir.cli.plan;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A plan as lines of text, and as JSON. */
public final class PlanText {
  private PlanText() {}

  /** A table with the arithmetic, the largest costs, and the figures with their origin. */
  public static List<String> lines(Plan plan) {
    List<String> lines = new ArrayList<>();
    PlanInput in = plan.input();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s readings of %s sensors, each sending every %.1f s, windows of %.0f s",
            PlanUnit.PER_SECOND.write(in.rate()),
            PlanUnit.COUNT.write(in.sensors()),
            in.periodMs() / 1000,
            in.windowMs() / 1000));
    String section = "";
    for (PlanItem item : plan.items()) {
      if (!item.section().equals(section)) {
        section = item.section();
        lines.add("");
        lines.add(section);
      }
      lines.add(
          String.format(
              Locale.ROOT,
              "  %-28s %14s   %s",
              item.label(),
              item.unit().write(item.value()),
              item.how()));
    }
    lines.add("");
    lines.add("Largest costs, and how to halve them");
    PlanCosts.lines(plan).forEach(cost -> lines.add("  " + cost));
    lines.add("");
    lines.add("Figures");
    PlanFigures.of(plan).forEach(figure -> lines.add(plan.figures().line(figure)));
    return lines;
  }

  /** The options for a load that exceeds 64 partitions, or the limits of a partition. */
  public static List<String> beyond(Plan plan) {
    List<String> lines = new ArrayList<>();
    if (plan.isBeyondPartitions()) {
      addPartitions(plan, lines);
    }
    List<String> events = plan.events().map(EventsCost::beyond).orElse(List.of());
    if (!events.isEmpty()) {
      lines.add("too large for one weir events:");
      events.forEach(line -> lines.add("  " + line));
      lines.add(
          "  a larger limit in pods with more memory; fewer fields, a shorter weir.fold.max.hold, a"
              + " shorter weir.groups.keep; or several applications, each with its own topics");
    }
    return lines;
  }

  private static void addPartitions(Plan plan, List<String> lines) {
    lines.add(
        "too large for one Weir: it needs "
            + plan.partitions()
            + " partitions and "
            + plan.pods()
            + " pods, and has "
            + Plan.PARTITIONS
            + " of each. Options:");
    int ways = Math.max(2, (int) Math.ceil((double) plan.partitions() / Plan.PARTITIONS));
    lines.add(
        "  "
            + ways
            + " Weirs, each with its own topics (weir.topic.*, weir.application.id) and its"
            + " own sensors, by plant or by the first part of the id");
    if (plan.input().run() < Plan.DENSE_RUN) {
      lines.add(
          "  several readings of a sensor in a batch (--period, weir.flush.interval): with six a"
              + " thread processes "
              + PlanUnit.PER_SECOND.write(plan.figures().value(Figure.DENSE_READINGS_PER_SECOND)));
    }
    lines.add("  columnar batches, as Weir's own publisher sends: measure with weir bench --json");
    lines.add("  faster processors: use your own figures with --bench or --live");
  }

  /**
   * One object: each item by its key, the figures with their origin, and whether the load is too
   * large.
   */
  public static String json(Plan plan) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    plan.items().forEach(item -> json.put(item.key(), item.value()));
    json.put("beyond", plan.isBeyond());
    PlanCosts.lines(plan).forEach(json.putArray("costs")::add);
    ObjectNode figures = json.putObject("figures");
    for (Figure figure : PlanFigures.of(plan)) {
      Linear linear = plan.figures().get(figure);
      ObjectNode written = figures.putObject(figure.text());
      written.put("value", linear.base());
      if (linear.each() > 0) {
        written.put("each", linear.each());
      }
      written.put("source", linear.source());
    }
    return json.toString();
  }
}
