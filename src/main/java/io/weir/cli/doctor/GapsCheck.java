package io.weir.cli.doctor;

import io.weir.cli.pages.Exposition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Finds missing sequence numbers of gateways. */
final class GapsCheck implements Check {
  @Override
  public String name() {
    return "gaps";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    Map<String, Double> missing = new TreeMap<>();
    for (Exposition page : cluster.metrics().values()) {
      page.of("weir_batches_lost")
          .forEach((labels, count) -> missing.merge(labels, count, Double::sum));
    }
    missing.values().removeIf(count -> count <= 0);
    List<Finding> findings = new ArrayList<>();
    String remedy =
        "see the gateway's log for dropped and failed batches; a spool (weir.spool.dir) keeps"
            + " batches that do not fit into memory";
    if (!missing.isEmpty()) {
      findings.add(
          risk(
              "batches are missing: "
                  + Offsets.list(
                      missing.entrySet(),
                      each ->
                          String.format(Locale.ROOT, "%s %.0f", each.getKey(), each.getValue())),
              "gateways numbered these batches and Weir has not received them; they may still arrive",
              remedy));
    }
    CounterDelta forGood = CounterDelta.of(cluster.pages(), "weir_batches_lost_for_good_total");
    if (forGood.total() > 0) {
      findings.add(
          counted(
              forGood,
              String.format(
                  Locale.ROOT, "%.0f batches were lost, %s", forGood.total(), forGood.when()),
              "no window contains their readings",
              remedy));
    }
    return findings;
  }
}
