package io.weir.internal.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.internal.imports.ImportStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

class ImportMetersTest {
  @Test
  void everyMetricButLag_isThereFromTheStart_atZero() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new ImportMeters(ImportStatus.of(List.of("plant.raw")), registry).refresh();
    assertThat(registry.scrape().lines())
        .contains(
            "weir_import_records_total{outcome=\"mapped\",topic=\"plant.raw\"} 0.0",
            "weir_import_records_total{outcome=\"tombstone\",topic=\"plant.raw\"} 0.0",
            "weir_import_records_total{outcome=\"empty\",topic=\"plant.raw\"} 0.0",
            "weir_import_records_total{outcome=\"refused\",topic=\"plant.raw\"} 0.0",
            "weir_import_readings_total{outcome=\"written\"} 0.0",
            "weir_import_readings_total{outcome=\"refused\"} 0.0",
            "weir_import_commit_seconds_count 0")
        .anyMatch(line -> line.startsWith("weir_import_stalled_seconds "));
  }
}
