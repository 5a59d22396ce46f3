package io.weir.cli;

import io.weir.app.GatewayResets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What each partition did with an order to reset a gateway, in a line for each kind of answer. */
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
   * @param skipped partitions in which a later order was carried out before, and that order
   * @param ahead partitions in which the application has not come to the mark
   */
  List<String> of(Map<Integer, Long> skipped, Set<Integer> ahead) {
    Set<Integer> done = new TreeSet<>(given.marks().keySet());
    done.removeAll(skipped.keySet());
    Set<Integer> waiting = new TreeSet<>(done);
    waiting.retainAll(ahead);
    done.removeAll(ahead);
    List<String> lines = new ArrayList<>();
    if (!done.isEmpty()) {
      lines.add(order() + " is carried out in " + partitions(done));
    }
    if (!waiting.isEmpty()) {
      lines.add(
          order()
              + " waits in "
              + partitions(waiting)
              + ": it takes effect where the application comes to it");
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
                    + " for the same gateway lies before it; if more is to be cleared, run it"
                    + " again"));
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
