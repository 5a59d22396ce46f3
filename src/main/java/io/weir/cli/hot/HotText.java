package io.weir.cli.hot;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.weir.cli.screen.Numbers;
import io.weir.internal.text.Printable;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A report as lines of text, or as one line of JSON. */
public final class HotText {
  private static final JsonFactory JSON = new JsonFactory();
  private static final double MINUTE_SECONDS = 60;
  private static final int LONGEST_ID = 40;

  private HotText() {}

  /** A table of sensors and one of gateways. */
  public static List<String> lines(HotReport report) {
    List<String> lines = new ArrayList<>();
    if (report.partitions() == 0) {
      lines.add("No full minute yet: a process has one within two minutes.");
      return lines;
    }
    lines.add(
        String.format(
            Locale.ROOT,
            "Minute to %s, %d of 64 partitions: %s readings, %s/s",
            Instant.ofEpochMilli(report.endMs()).truncatedTo(ChronoUnit.SECONDS),
            report.partitions(),
            Numbers.grouped(report.readings()),
            Numbers.grouped(report.readings() / MINUTE_SECONDS)));
    table("SENSOR", report.sensors(), lines);
    table("GATEWAY", report.gateways(), lines);
    return lines;
  }

  private static void table(String what, List<HotRow> rows, List<String> lines) {
    int width = what.length();
    for (HotRow row : rows) {
      width = Math.min(LONGEST_ID, Math.max(width, shown(row.id()).length()));
    }
    lines.add("");
    String format = "%-" + width + "s  %15s  %12s  %9s  %12s  %7s";
    lines.add(
        String.format(
            Locale.ROOT,
            format,
            what,
            "READINGS",
            "READINGS/S",
            "PARTITION",
            "OF PARTITION",
            "OF ALL"));
    for (HotRow row : rows) {
      lines.add(
          String.format(
              Locale.ROOT,
              format,
              shown(row.id()),
              (row.atLeast() ? ">= " : "") + Numbers.grouped(row.readings()),
              Numbers.grouped(row.readings() / MINUTE_SECONDS),
              row.partition(),
              percent(row.share()),
              percent(row.shareOfAll())));
    }
  }

  private static String shown(String id) {
    return id.isEmpty() ? "(empty)" : Printable.line(id);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  /** One line: partitions, readings, end_ms, sensors and gateways with the fields of a row. */
  public static String json(HotReport report) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeNumberField("partitions", report.partitions());
      json.writeNumberField("readings", report.readings());
      json.writeNumberField("end_ms", report.endMs());
      write("sensors", report.sensors(), json);
      write("gateways", report.gateways(), json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(String name, List<HotRow> rows, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart(name);
    for (HotRow row : rows) {
      json.writeStartObject();
      json.writeStringField("id", row.id());
      json.writeNumberField("partition", row.partition());
      json.writeNumberField("readings", row.readings());
      json.writeBooleanField("at_least", row.atLeast());
      json.writeNumberField("share", row.share());
      json.writeNumberField("share_of_all", row.shareOfAll());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
