package io.weir.internal.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.internal.topology.IntakeMeasures.Source;
import org.junit.jupiter.api.Test;

class EventMetersTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final EventMeters meters = new EventMeters(registry);

  @Test
  void largestPartition_isReportedForEachTopic_andForgottenWithItsTask() {
    meters.waiting(3, 1, 700);
    meters.waiting(4, 2, 500);
    meters.folding(3, 1, 600);
    assertThat(registry.scrape())
        .contains("weir_events_largest_partition_bytes{topic=\"scheduled\"} 700.0")
        .contains("weir_events_largest_partition_bytes{topic=\"events\"} 600.0")
        .contains("weir_events_timers_waiting 3.0");
    meters.gone(Source.SCHEDULED, 3);
    meters.gone(Source.EVENTS, 3);
    assertThat(registry.scrape())
        .contains("weir_events_largest_partition_bytes{topic=\"scheduled\"} 500.0")
        .contains("weir_events_largest_partition_bytes{topic=\"events\"} 0.0")
        .contains("weir_events_timers_waiting 2.0");
  }
}
