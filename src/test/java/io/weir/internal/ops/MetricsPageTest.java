package io.weir.internal.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.internal.app.BuildInfo;
import io.weir.internal.ops.ProcessPages.ProcessMeters;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricsPageTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Meters meters = new Meters(registry);
  private final MetricsPage page = new MetricsPage(registry, List.of(meters::refresh));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "''|false",
        "*/*|false",
        "text/plain|false",
        "application/openmetrics-text|true",
        "application/openmetrics-text; version=1.0.0; charset=utf-8|true",
        "application/openmetrics-text;q=0|false",
        "application/openmetrics-text;q=0.3,text/plain;q=0.8|false",
        "text/html, application/openmetrics-text;q=x|false",
        "application/openmetrics-text;version=1.0.0;q=0.6,application/openmetrics-text;"
            + "version=0.0.1;q=0.5,text/plain;version=1.0.0;q=0.4,*/*;q=0.1|true",
      })
  void openMetrics_isForThoseWhoAskForIt(String accept, boolean wanted) {
    assertThat(MetricsPage.wantsOpenMetrics(accept)).isEqualTo(wanted);
  }

  @Test
  void bothFormats_tellTheSame() {
    meters.batch(10);
    meters.missingBatches(0, Map.of("line \"7\"\n\\", 3L));

    Reply.Text text = page.reply(PageRequest.of("/metrics"));
    assertThat(text.contentType()).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
    assertThat(text.text().lines())
        .contains("# TYPE weir_batches_total counter", "weir_batches_total 1.0")
        .contains("weir_batches_lost{gateway=\"line \\\"7\\\"\\n\\\\\"} 3.0");

    Reply.Text open =
        page.reply(PageRequest.of("/metrics").with("Accept", "application/openmetrics-text"));
    assertThat(open.contentType()).startsWith("application/openmetrics-text; version=1.0.0");
    assertThat(open.text().lines())
        .contains("# TYPE weir_batches counter", "weir_batches_total 1.0")
        .contains("weir_batches_lost{gateway=\"line \\\"7\\\"\\n\\\\\"} 3.0")
        .endsWith("# EOF");
  }

  @Test
  void buildInfo_isAMetric() {
    try (ProcessMeters process = new ProcessMeters(new BuildInfo("1.2.3", "abc"))) {
      process.bindTo(registry);

      assertThat(page.reply(PageRequest.of("/metrics")).text())
          .contains("weir_build_info{revision=\"abc\",version=\"1.2.3\"} 1")
          .contains("jvm_memory_used_bytes{", "process_start_time_seconds ");
    }
  }
}
