package io.weir.cli.doctor;

import io.weir.cli.pages.Exposition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Batches that gateways numbered and that did not come. */
final class GapsCheck implements Check {
  @Override
  public String name() {
    return "gaps";
  }

  @Override
  public List<Finding> look(Examination of) {
    Map<String, Double> missing = new TreeMap<>();
    for (Exposition page : of.metrics().values()) {
      page.of("weir_batches_lost")
          .forEach((labels, count) -> missing.merge(labels, count, Double::sum));
    }
    missing.values().removeIf(count -> count <= 0);
    List<Finding> findings = new ArrayList<>();
    String remedy =
        "the gateway's log says what it dropped or could not send; its spool (weir.spool.dir) keeps"
            + " what the memory cannot";
    if (!missing.isEmpty()) {
      findings.add(
          risk(
              "batches are missing: "
                  + Offsets.list(
                      missing.entrySet(),
                      each ->
                          String.format(Locale.ROOT, "%s %.0f", each.getKey(), each.getValue())),
              "gateways numbered them and they have not come; they still may",
              remedy));
    }
    Counted forGood = Counted.of(of.pages(), "weir_batches_lost_for_good_total");
    if (forGood.total() > 0) {
      findings.add(
          counted(
              forGood,
              String.format(
                  Locale.ROOT, "%.0f batches never came %s", forGood.total(), forGood.when()),
              "their readings are in no window",
              remedy));
    }
    return findings;
  }
}
