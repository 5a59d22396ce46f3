package io.weir.cli;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.internal.app.Keys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.imports.Import;
import io.weir.internal.ops.Page;
import io.weir.internal.ops.ProcessPages;
import io.weir.internal.ops.Registration;
import io.weir.internal.ops.StreamsMetric;
import java.util.Map;
import java.util.Optional;

/** Health and metrics of an import. It is ready while it waits for nothing but records. */
final class ImportWatch implements AutoCloseable {
  private final ProcessPages pages;

  ImportWatch(WeirConfig config, Import importing) {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    pages = new ProcessPages(config, registry, () -> "");
    new Registration(registry)
        .milliseconds(StreamsMetric.SUCCESS_AGE, importing, Import::successAgeMs);
    pages.answer(
        Optional.of(config.http().port()),
        Keys.HTTP_PORT,
        Map.of(
            "/livez",
            request -> Page.yesOrNo(true, "running\n"),
            "/readyz",
            request -> {
              String waitsFor = importing.waitsFor();
              return Page.yesOrNo(
                  waitsFor.isEmpty(),
                  waitsFor.isEmpty() ? "importing\n" : "waiting for " + waitsFor + "\n");
            }));
  }

  @Override
  public void close() {
    pages.close();
  }
}
