package io.weir.cli.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What costs most, and what halves it; as the table of docs/operations.md has it. */
final class PlanCosts {
  private record Cost(String what, double value, PlanUnit unit, String halvedBy) {
    String line() {
      return what + ", " + unit.write(value) + ": " + halvedBy;
    }
  }

  private PlanCosts() {}

  /** The largest of what is kept, the largest of what is written, and memory if there is much. */
  static List<String> lines(Plan plan) {
    List<Cost> kept =
        List.of(
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
    List<Cost> written =
        List.of(
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
                "kafka.commit.interval.ms of twice what a sensor's period is, or of 500 ms where"
                    + " that is more; windows are readable so much later"));
    List<String> lines = new ArrayList<>();
    lines.add(most(kept).line());
    lines.add(most(written).line());
    if (2 * plan.stateBytes() > plan.heap(plan.pods())) {
      lines.add(
          "state in memory, "
              + PlanUnit.BYTES.write(plan.stateBytes())
              + ": half of weir.allowed.lateness, fewer rollups, no standbys");
    }
    return lines;
  }

  private static Cost most(List<Cost> costs) {
    return costs.stream().max(Comparator.comparingDouble(Cost::value)).orElseThrow();
  }
}
