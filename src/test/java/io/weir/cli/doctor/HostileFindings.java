package io.weir.cli.doctor;

import io.weir.cli.hot.HotReport;
import io.weir.cli.hot.HotRow;
import io.weir.cli.pages.Exposition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Findings about a sensor and a gateway with a name of the test's choice. */
public final class HostileFindings {
  private HostileFindings() {}

  /** Text and JSON as {@code weir doctor} prints them. */
  public static List<String> lines(String id) {
    HotRow row = new HotRow(id, 3, 1_000_000, false, 0.9, 0.9);
    HotReport hot = new HotReport(64, 1_100_000, 60_000, List.of(row), List.of(row));
    Exposition page =
        new Exposition("weir_batches_lost{gateway=\"" + id.replace("\n", "") + "\"} 2.0");
    Examination examination =
        new Examination(
            null,
            null,
            Map.of(),
            Set.of(),
            List.of(),
            null,
            new Pages(
                Map.of(id, page), Optional.of(hot), Map.of(id, "refused by " + id), Map.of()));
    List<Finding> findings = new ArrayList<>(new HotCheck().look(examination));
    findings.addAll(new GapsCheck().look(examination));
    findings.addAll(new ProcessCheck().look(examination));
    Doctor.Diagnosis diagnosis = new Doctor.Diagnosis(findings, List.of(id));
    List<String> lines = new ArrayList<>(DoctorText.lines(diagnosis));
    lines.add(DoctorText.json(diagnosis));
    return lines;
  }
}
