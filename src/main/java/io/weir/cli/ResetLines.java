package io.weir.cli;

import io.weir.internal.app.GatewayResets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The result of a gateway reset: one line for executed, waiting and skipped partitions each. */
final class ResetLines {
  private final String gatewayId;
  private final GatewayResets.Given given;
  private final String readings;

  ResetLines(String gatewayId, GatewayResets.Given given, String readings) {
    this.gatewayId = gatewayId;
    this.given = given;
    this.readings = readings;
  }

  /**
   * The lines.
   *
   * @param skipped partitions in which a later order was executed before, and that order
   * @param ahead partitions in which the application has not reached the mark
   */
  List<String> of(Map<Integer, Long> skipped, Set<Integer> ahead) {
    Set<Integer> done = new TreeSet<>(given.marks().keySet());
    done.removeAll(skipped.keySet());
    Set<Integer> waiting = new TreeSet<>(done);
    waiting.retainAll(ahead);
    done.removeAll(ahead);
    List<String> lines = new ArrayList<>();
    if (!done.isEmpty()) {
      lines.add(order() + " is executed in " + partitions(done));
    }
    if (!waiting.isEmpty()) {
      lines.add(
          order()
              + " waits in "
              + partitions(waiting)
              + ": it takes effect when the application reads its mark");
    }
    Map<Long, Set<Integer>> byOrder = new TreeMap<>();
    skipped.forEach(
        (partition, later) ->
            byOrder.computeIfAbsent(later, each -> new TreeSet<>()).add(partition));
    byOrder.forEach(
        (later, partitions) ->
            lines.add(
                order()
                    + " is skipped in "
                    + partitions(partitions)
                    + ": order "
                    + later
                    + " for the same gateway has an earlier mark; run it again to clear more"));
    return lines;
  }

  private String order() {
    return "order " + given.order() + " for gateway " + gatewayId;
  }

  private String partitions(Set<Integer> partitions) {
    return partitions.size() == given.marks().size()
        ? "all partitions of " + readings
        : "partitions " + partitions + " of " + readings;
  }
}
