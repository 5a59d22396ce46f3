package io.weir.cli.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** What costs most, and what halves it; as the table of docs/operate/size.md has it. */
final class PlanCosts {
  private record Cost(String what, double value, PlanUnit unit, String halvedBy) {
    String line() {
      return what + ", " + unit.write(value) + ": " + halvedBy;
    }
  }

  private PlanCosts() {}

  /** The largest of what is kept, the largest of what is written, and memory if there is much. */
  static List<String> lines(Plan plan) {
    List<Cost> kept = new ArrayList<>();
    Collections.addAll(
        kept,
        new Cost(
            "readings at rest",
            plan.readingsAtRest(),
            PlanUnit.BYTES,
            "half of weir.topic.readings.retention, or fuller batches (weir.flush.interval 1s"
                + " takes 24 bytes a reading in place of 33)"),
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
                + " 2 s what was emitted waits for a quarter of it"));
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
      case "hopping" -> "fewer sensors in weir.hopping.sensors, or weir.rollups in place of it";
      case "folded" -> "twice weir.fold.quiet and weir.fold.max.hold";
      case "group_parts", "groups" -> "twice weir.groups.size";
      default -> "events folded before they are sent (EventPublisher), or shorter names of fields";
    };
  }

  private static Cost ofEvents(EventsCost events) {
    return most(
        List.of(
            new Cost(
                "scheduled events in memory",
                events.timersHeap(),
                PlanUnit.BYTES,
                "shorter messages; every_ms in place of many events"),
            new Cost(
                "folds in memory",
                events.foldsHeap(),
                PlanUnit.BYTES,
                "half of weir.fold.quiet where keys rest, and fewer fields"),
            new Cost(
                "windows of groups in memory",
                events.groupsHeap(),
                PlanUnit.BYTES,
                "half of weir.groups.keep, or twice weir.groups.size")));
  }

  private static String ofTables(TablesCost tables) {
    TablesCost.Table largest =
        tables.tables().stream()
            .max(Comparator.comparingDouble(TablesCost.Table::bytesPerDay))
            .orElseThrow();
    return "%s, %s a day: half of weir.sink.retention; without it in weir.sink.topics nothing"
        .formatted(largest.name(), PlanUnit.BYTES.write(largest.bytesPerDay()));
  }

  private static Cost most(List<Cost> costs) {
    return costs.stream().max(Comparator.comparingDouble(Cost::value)).orElseThrow();
  }
}
