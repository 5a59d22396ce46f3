package io.weir.internal.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Registers meters of the {@link Metric} catalogue. Those that read an object keep a strong
 * reference to it. Tags are names and values in turn.
 */
public record Registration(MeterRegistry registry) {
  /** A counter that its owner increments. */
  public Counter counter(Metric metric, String... tags) {
    return Counter.builder(metric.meterName())
        .description(metric.meaning())
        .tags(tags)
        .register(registry);
  }

  /** A counter for each constant, whose tag is its name in lower case. */
  public <E extends Enum<E>> Map<E, Counter> counters(Metric metric, String tag, Class<E> type) {
    Map<E, Counter> counters = new EnumMap<>(type);
    for (E constant : type.getEnumConstants()) {
      counters.put(constant, counter(metric, tag, word(constant)));
    }
    return counters;
  }

  /** The name of a constant as a tag. */
  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Durations in buckets. */
  Timer histogram(Metric metric, Duration... buckets) {
    return Timer.builder(metric.meterName())
        .description(metric.meaning())
        .serviceLevelObjectives(buckets)
        .register(registry);
  }

  /** Gauges whose tags change. */
  MultiGauge rows(Metric metric) {
    return MultiGauge.builder(metric.meterName()).description(metric.meaning()).register(registry);
  }

  public <T> void counter(Metric metric, T of, ToDoubleFunction<T> value, String... tags) {
    FunctionCounter.builder(metric.meterName(), of, value)
        .description(metric.meaning())
        .tags(tags)
        .register(registry);
  }

  public <T> void gauge(Metric metric, T of, ToDoubleFunction<T> value, String... tags) {
    Gauge.builder(metric.meterName(), of, value)
        .description(metric.meaning())
        .tags(tags)
        .strongReference(true)
        .register(registry);
  }

  /** A gauge of milliseconds, which is read in the registry's unit. */
  public <T> void milliseconds(Metric metric, T of, ToDoubleFunction<T> value, String... tags) {
    TimeGauge.builder(metric.meterName(), of, TimeUnit.MILLISECONDS, value)
        .description(metric.meaning())
        .tags(tags)
        .strongReference(true)
        .register(registry);
  }

  /** How often, and how long in nanoseconds in all. */
  public <T> void timer(Metric metric, T of, ToLongFunction<T> count, ToDoubleFunction<T> nanos) {
    FunctionTimer.builder(metric.meterName(), of, count, nanos, TimeUnit.NANOSECONDS)
        .description(metric.meaning())
        .register(registry);
  }
}
