package io.weir.cli.doctor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.cli.screen.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats the findings as text and as JSON. */
final class DoctorText {
  private DoctorText() {}

  static List<String> lines(Doctor.Diagnosis diagnosis) {
    List<String> lines = new ArrayList<>();
    for (Finding finding : diagnosis.findings()) {
      lines.add(
          String.format(
              Locale.ROOT, "%-6s  %s: %s", finding.severity(), finding.check(), finding.what()));
      lines.add("        why: " + finding.why());
      lines.add("        do:  " + finding.remedy());
    }
    int notes = diagnosis.notes();
    String wrong =
        diagnosis.isWell()
            ? "no findings"
            : Numbers.counted(diagnosis.findings().size() - notes, "finding");
    lines.add(notes == 0 ? wrong : wrong + ", and " + Numbers.counted(notes, "note"));
    return lines;
  }

  static String json(Doctor.Diagnosis diagnosis) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode findings = json.putArray("findings");
    for (Finding finding : diagnosis.findings()) {
      findings
          .addObject()
          .put("severity", finding.severity().name())
          .put("check", finding.check())
          .put("what", finding.what())
          .put("why", finding.why())
          .put("remedy", finding.remedy());
    }
    diagnosis.notLooked().forEach(json.putArray("not_looked")::add);
    return json.toString();
  }
}
