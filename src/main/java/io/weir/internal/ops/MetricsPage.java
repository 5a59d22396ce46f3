package io.weir.internal.ops;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;

/**
 * All meters of a registry, in Prometheus's text or, where the client accepts it, as OpenMetrics.
 *
 * @param refreshers run before the meters are read
 */
public record MetricsPage(PrometheusMeterRegistry registry, List<Runnable> refreshers)
    implements Page {
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
  private static final String OPEN_METRICS =
      "application/openmetrics-text; version=1.0.0; charset=utf-8";

  @Override
  public Reply.Text reply(PageRequest request) {
    String contentType = wantsOpenMetrics(request.accept()) ? OPEN_METRICS : TEXT;
    synchronized (registry) {
      refreshers.forEach(Runnable::run);
      return new Reply.Text(200, contentType, registry.scrape(contentType));
    }
  }

  /** Whether the client accepts OpenMetrics by name, at least as much as plain text. */
  static boolean wantsOpenMetrics(String accept) {
    double open = 0;
    double text = 0;
    for (String range : accept.split(",")) {
      String[] parts = range.split(";");
      switch (parts[0].strip()) {
        case "application/openmetrics-text" -> open = Math.max(open, quality(parts));
        case "text/plain" -> text = Math.max(text, quality(parts));
        default -> {}
      }
    }
    return open > 0 && open >= text;
  }

  private static double quality(String[] parts) {
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip();
      if (parameter.startsWith("q=")) {
        try {
          return Double.parseDouble(parameter.substring(2));
        } catch (NumberFormatException e) {
          return 0;
        }
      }
    }
    return 1;
  }
}
