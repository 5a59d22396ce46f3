package io.weir.ops;

import java.util.Locale;

/** The catalogue of metrics as a text: for docs/operations.md. */
public final class MetricTable {
  private MetricTable() {}

  /** A Markdown table of all metrics. */
  public static String markdown() {
    StringBuilder table =
        new StringBuilder("| metric | kind | unit | meaning |\n|---|---|---|---|\n");
    for (Metric metric : Metric.all()) {
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
    return table.toString();
  }
}
