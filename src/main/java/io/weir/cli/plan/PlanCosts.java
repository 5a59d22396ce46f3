package io.weir.cli.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** The largest costs, and how to halve them, by the table of docs/operate/size.md. */
final class PlanCosts {
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
