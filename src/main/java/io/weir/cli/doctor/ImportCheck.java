package io.weir.cli.doctor;

import io.weir.cli.pages.Exposition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Checks weir import: no progress, many refused records. */
final class ImportCheck implements Check {
  private static final double STALLED_S = 60;
  private static final double REFUSED_SHARE = 0.01;
  private static final String RECORDS = "weir_import_records_total";

  @Override
  public String name() {
    return "import";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    List<Finding> findings = new ArrayList<>();
    cluster.metrics().forEach((process, page) -> look(cluster.pages(), process, page, findings));
    return findings;
  }

  private void look(Pages pages, String process, Exposition page, List<Finding> findings) {
    double stalled = page.sum("weir_import_stalled_seconds");
    if (stalled > STALLED_S) {
      findings.add(
          broken(
              String.format(
                  Locale.ROOT,
                  "%s: weir import has committed nothing for %.0f s; %.0f records wait",
                  process,
                  stalled,
                  page.sum("weir_import_lag_records")),
              "their readings are in no window yet, and become late",
              "remove the cause that its /readyz names: Kafka, the registry, a missing topic"));
    }
    CounterDelta counter =
        CounterDelta.one(pages, process, RECORDS, labels -> labels.contains("refused"));
    double refused = counter.total();
    if (refused > REFUSED_SHARE * page.sum(RECORDS)) {
      findings.add(
          counted(
              counter,
              String.format(
                  Locale.ROOT,
                  "%s: weir import refused %.0f of %.0f records %s",
                  process,
                  refused,
                  page.sum(RECORDS),
                  counter.when()),
              "they are dead letters, and their readings are missing",
              "weir tail dead-letters has the reasons; correct the mapping, then run weir import"
                  + " --again"));
    }
  }
}
