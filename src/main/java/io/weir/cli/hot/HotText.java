package io.weir.cli.hot;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.cli.screen.Numbers;
import io.weir.internal.text.Printable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A report as lines of text, or as one line of JSON. */
public final class HotText {
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
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("partitions", report.partitions());
    json.put("readings", report.readings());
    json.put("end_ms", report.endMs());
    add("sensors", report.sensors(), json);
    add("gateways", report.gateways(), json);
    return json.toString();
  }

  private static void add(String name, List<HotRow> rows, ObjectNode json) {
    ArrayNode array = json.putArray(name);
    for (HotRow row : rows) {
      array
          .addObject()
          .put("id", row.id())
          .put("partition", row.partition())
          .put("readings", row.readings())
          .put("at_least", row.atLeast())
          .put("share", row.share())
          .put("share_of_all", row.shareOfAll());
    }
  }
}
