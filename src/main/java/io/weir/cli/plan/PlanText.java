package io.weir.cli.plan;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
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
    int cells = plan.cells();
    lines.add(
        "  "
            + cells
            + " cells, each a Weir with its own weir.plant: "
            + PlanUnit.COUNT.write(Math.ceil(plan.input().sensors() / cells))
            + " sensors, "
            + PlanUnit.PER_SECOND.write(plan.input().rate() / cells)
            + ", "
            + Plan.PARTITIONS
            + " partitions and "
            + (int) Math.ceil((double) plan.pods() / cells)
            + " pods each. The cell of a sensor is its plant, or the one of weir partition --cells "
            + cells);
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
    json.put("cells", plan.cells());
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

  /** The largest costs, and how to halve them, by the table of docs/operate/size.md. */
  static final class PlanCosts {
    private record Cost(String what, double value, PlanUnit unit, String halvedBy) {
      String line() {
        return what + ", " + unit.write(value) + ": " + halvedBy;
      }
    }

    private PlanCosts() {}

    /** The largest retained data, the largest written data, and memory if it is large. */
    static List<String> lines(Plan plan) {
      List<Cost> kept = new ArrayList<>();
      Collections.addAll(
          kept,
          new Cost(
              "readings at rest",
              plan.readingsAtRest(),
              PlanUnit.BYTES,
              "half of weir.topic.readings.retention, or fuller batches (weir.flush.interval 1s"
                  + " needs 24 instead of 33 bytes a reading)"),
          new Cost(
              "windows at rest",
              plan.windowsAtRest(),
              PlanUnit.BYTES,
              "twice the weir.window.size, or half of weir.topic.windows.retention"),
          new Cost(
              "changelog at rest",
              plan.changelogAtRest(),
              PlanUnit.BYTES,
              "half of weir.allowed.lateness, fewer rollups"));
      List<Cost> written = new ArrayList<>();
      Collections.addAll(
          written,
          new Cost(
              "readings written",
              plan.readingsBytesPerSecond(),
              PlanUnit.BYTES_PER_SECOND,
              "fuller batches: fewer and larger gateways, weir.flush.interval 1s"),
          new Cost(
              "windows written",
              plan.windowsBytesPerSecond(),
              PlanUnit.BYTES_PER_SECOND,
              "twice the weir.window.size"),
          new Cost(
              "changelog written",
              plan.changelogBytesPerSecond(),
              PlanUnit.BYTES_PER_SECOND,
              "kafka.commit.interval.ms of several times a sensor's period, and larger windows; above"
                  + " 2 s emitted windows wait for a quarter of it"));
      for (TopicLoad topic : plan.moreTopics()) {
        String halvedBy = halvedBy(topic.key());
        kept.add(
            new Cost(
                topic.name() + " at rest",
                topic.atRest(),
                PlanUnit.BYTES,
                "half of weir.topic." + topic.key().replace('_', '-') + ".retention; " + halvedBy));
        written.add(
            new Cost(
                topic.name() + " written",
                topic.bytesPerSecond(),
                PlanUnit.BYTES_PER_SECOND,
                halvedBy));
      }
      List<String> lines = new ArrayList<>();
      lines.add(most(kept).line());
      lines.add(most(written).line());
      if (2 * plan.stateBytes() > plan.heap(plan.pods())) {
        lines.add(
            "state in memory, "
                + PlanUnit.BYTES.write(plan.stateBytes())
                + ": half of weir.allowed.lateness, fewer rollups, no standbys");
      }
      plan.events().ifPresent(events -> lines.add(ofEvents(events).line()));
      plan.tables().ifPresent(tables -> lines.add(ofTables(tables)));
      return lines;
    }

    private static String halvedBy(String topic) {
      return switch (topic) {
        case "hopping" -> "fewer sensors in weir.hopping.sensors, or weir.rollups instead";
        case "folded" -> "twice weir.fold.quiet and weir.fold.max.hold";
        case "group_parts", "groups" -> "twice weir.groups.size";
        default -> "events folded before they are sent (EventPublisher), or shorter field names";
      };
    }

    private static Cost ofEvents(EventsCost events) {
      return most(
          List.of(
              new Cost(
                  "scheduled events in memory",
                  events.timersHeap(),
                  PlanUnit.BYTES,
                  "shorter messages; every_ms instead of many events"),
              new Cost(
                  "folds in memory",
                  events.foldsHeap(),
                  PlanUnit.BYTES,
                  "half of weir.fold.quiet if keys become quiet, and fewer fields"),
              new Cost(
                  "group windows in memory",
                  events.groupsHeap(),
                  PlanUnit.BYTES,
                  "half of weir.groups.keep, or twice weir.groups.size")));
    }

    private static String ofTables(TablesCost tables) {
      TablesCost.Table largest =
          tables.tables().stream()
              .max(Comparator.comparingDouble(TablesCost.Table::bytesPerDay))
              .orElseThrow();
      return "%s, %s a day: half of weir.sink.retention, or remove its topic from weir.sink.topics"
          .formatted(largest.name(), PlanUnit.BYTES.write(largest.bytesPerDay()));
    }

    private static Cost most(List<Cost> costs) {
      return costs.stream().max(Comparator.comparingDouble(Cost::value)).orElseThrow();
    }
  }
}
