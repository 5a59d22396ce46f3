package io.weir.internal.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.weir.internal.imports.ImportCounts;
import io.weir.internal.imports.ImportStatus;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * The state of a running import, as meters of the {@link Metric} catalogue. Safe for many threads.
 */
public final class ImportMeters implements ServiceMeters {
  private static final String OUTCOME = "outcome";
  private static final Map<String, ToLongFunction<ImportCounts>> OUTCOMES =
      Map.of(
          "mapped", ImportCounts::mapped,
          "tombstone", ImportCounts::tombstones,
          "empty", ImportCounts::empty,
          "refused", ImportCounts::refused);

  private final ImportStatus status;
  private final Registration meters;
  private final MultiGauge lags;
  private final Set<String> topics = new HashSet<>();

  /** Registers all meters. */
  public ImportMeters(ImportStatus status, MeterRegistry registry) {
    this.status = status;
    this.meters = new Registration(registry);
    this.lags = meters.rows(ImportMetric.LAG);
    meters.counter(
        ImportMetric.READINGS, status, each -> each.total().readings(), OUTCOME, "written");
    meters.counter(
        ImportMetric.READINGS, status, each -> each.total().refusedReadings(), OUTCOME, "refused");
    meters.timer(ImportMetric.COMMIT, status, ImportStatus::commits, ImportStatus::commitNanos);
    meters.milliseconds(ImportMetric.STALLED, status, ImportStatus::stalledMs);
    refresh();
  }

  @Override
  public synchronized void refresh() {
    for (String topic : status.topics()) {
      if (topics.add(topic)) {
        OUTCOMES.forEach(
            (outcome, count) ->
                meters.counter(
                    ImportMetric.RECORDS,
                    status,
                    source -> count.applyAsLong(source.of(topic)),
                    "topic",
                    topic,
                    OUTCOME,
                    outcome));
      }
    }
    lags.register(
        status.lags().entrySet().stream()
            .map(
                each ->
                    Row.of(
                        Tags.of(
                            "topic",
                            each.getKey().topic(),
                            "partition",
                            Integer.toString(each.getKey().partition())),
                        each.getValue()))
            .toList(),
        true);
  }
}
