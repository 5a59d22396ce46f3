package io.weir.cli.doctor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.weir.cli.screen.Numbers;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats the findings as text and as JSON. */
final class DoctorText {
  private static final JsonFactory JSON = new JsonFactory();

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
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeArrayFieldStart("findings");
      for (Finding finding : diagnosis.findings()) {
        json.writeStartObject();
        json.writeStringField("severity", finding.severity().name());
        json.writeStringField("check", finding.check());
        json.writeStringField("what", finding.what());
        json.writeStringField("why", finding.why());
        json.writeStringField("remedy", finding.remedy());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayFieldStart("not_looked");
      for (String what : diagnosis.notLooked()) {
        json.writeString(what);
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }
}
