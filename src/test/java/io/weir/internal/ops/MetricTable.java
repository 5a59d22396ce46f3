package io.weir.internal.ops;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The catalogue of metrics as a text: for docs/reference/metrics.md. */
public final class MetricTable {
  private MetricTable() {}

  /** A Markdown table of metrics for each job. */
  public static String markdown() {
    Map<String, StringBuilder> tables = new LinkedHashMap<>();
    for (Metric metric : Metric.all()) {
      row(metric, tables.computeIfAbsent(job(metric), MetricTable::begin));
    }
    return String.join("\n", tables.values());
  }

  private static String job(Metric metric) {
    String name = metric.meterName();
    if (metric instanceof InputMetric) {
      return "weir edge with inputs";
    }
    if (metric instanceof GatewayMetric) {
      return "weir edge and programs with the publisher";
    }
    if (metric instanceof EventMetric) {
      return name.startsWith("weir.handlers.") ? "Programs with handlers" : "weir events";
    }
    if (metric instanceof ImportMetric) {
      return "weir import";
    }
    if (metric instanceof ServeMetric) {
      return "weir serve";
    }
    if (metric instanceof PostgresMetric) {
      return name.startsWith("weir.sink.") ? "weir sink" : "weir collect";
    }
    return metric instanceof RunMetric
        ? "weir run"
        : "Kafka Streams: weir run, weir events, programs with handlers";
  }

  private static StringBuilder begin(String job) {
    return new StringBuilder(
        "## " + job + "\n\n| metric | kind | unit | meaning |\n|---|---|---|---|\n");
  }

  private static void row(Metric metric, StringBuilder table) {
    table
        .append("| `")
        .append(metric.prometheusName())
        .append(metric.labels().isEmpty() ? "" : "{" + String.join(",", metric.labels()) + "}")
        .append("` | ")
        .append(metric.kind().name().toLowerCase(Locale.ROOT))
        .append(" | ")
        .append(metric.unit())
        .append(" | ")
        .append(metric.meaning())
        .append(" |\n");
  }
}
