package io.weir.internal.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.internal.hot.HeavyHitter;
import io.weir.internal.hot.HotMinute;
import io.weir.internal.window.CloseReason;
import io.weir.reading.RejectReason;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Meters meters = new Meters(registry);

  @Test
  void everyOutcome_isCountedByItself() {
    meters.batch(10);
    meters.aggregated(4);
    meters.late(3);
    meters.duplicate(2);
    meters.rejected(RejectReason.MISROUTED, 1);
    meters.undecodable(RejectReason.UNDECODABLE);
    meters.window(CloseReason.IDLE);

    assertThat(counter(RunMetric.BATCHES)).isEqualTo(1);
    assertThat(counter(RunMetric.READINGS, "outcome", "aggregated", "reason", "")).isEqualTo(4);
    assertThat(counter(RunMetric.READINGS, "outcome", "late", "reason", "")).isEqualTo(3);
    assertThat(counter(RunMetric.READINGS, "outcome", "duplicate", "reason", "")).isEqualTo(2);
    assertThat(counter(RunMetric.READINGS, "outcome", "rejected", "reason", "MISROUTED"))
        .isEqualTo(1);
    assertThat(counter(RunMetric.READINGS, "outcome", "rejected", "reason", "FENCED")).isZero();
    assertThat(counter(RunMetric.UNDECODABLE, "reason", "UNDECODABLE")).isEqualTo(1);
    assertThat(counter(RunMetric.WINDOWS, "reason", "idle")).isEqualTo(1);
  }

  @Test
  void partitions_addUp_untilTheyAreGone() {
    meters.partition(0, 10, 1);
    meters.partition(1, 20, 2);
    meters.partition(1, 25, 3);
    assertThat(gauge(RunMetric.SENSORS)).isEqualTo(35);
    assertThat(gauge(RunMetric.OPEN_WINDOWS)).isEqualTo(4);

    meters.partitionGone(0);
    assertThat(gauge(RunMetric.SENSORS)).isEqualTo(25);
    assertThat(gauge(RunMetric.OPEN_WINDOWS)).isEqualTo(3);
  }

  @Test
  void watermarkLag_aheadOfTheAppendTime_isNone() {
    meters.watermarkLag(2_000);
    meters.watermarkLag(-7_000);

    assertThat(registry.get(RunMetric.WATERMARK_LAG.meterName()).timer().count()).isEqualTo(2);
    assertThat(
            registry
                .get(RunMetric.WATERMARK_LAG.meterName())
                .timer()
                .totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(2_000);
  }

  @Test
  void lostBatches_ofAGatewayWithoutGaps_areNoLongerReported() {
    meters.missingBatches(3, Map.of("line-7", 2L));
    meters.missingBatches(4, Map.of("line-7", 1L, "line-8", 1L));
    meters.refresh();
    assertThat(gauge(RunMetric.BATCHES_LOST, "gateway", "line-7")).isEqualTo(3);
    assertThat(gauge(RunMetric.BATCHES_LOST, "gateway", "line-8")).isEqualTo(1);

    meters.missingBatches(3, Map.of());
    meters.partitionGone(4);
    meters.refresh();
    assertThat(registry.find(RunMetric.BATCHES_LOST.meterName()).gauges()).hasSize(1);
    assertThat(gauge(RunMetric.BATCHES_LOST, "gateway", LostBatches.REST)).isZero();
  }

  @Test
  void hotShare_isTheHeaviestSensors_untilThePartitionIsGone() {
    meters.hot(new HotMinute(3, 1, 200, List.of(new HeavyHitter("a", 150)), 0, List.of()));
    meters.refresh();
    assertThat(gauge(RunMetric.HOT_SHARE, "partition", "3")).isEqualTo(0.75);

    meters.partitionGone(3);
    meters.refresh();
    assertThat(registry.find(RunMetric.HOT_SHARE.meterName()).gauges()).isEmpty();
  }

  private double counter(Metric metric, String... tags) {
    return registry.get(metric.meterName()).tags(tags).counter().count();
  }

  private double gauge(Metric metric, String... tags) {
    return registry.get(metric.meterName()).tags(tags).gauge().value();
  }
}
