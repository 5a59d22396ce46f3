package io.weir.internal.ops;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Registers meters of the {@link Metric} catalogue that read an object. They keep a strong
 * reference to it. Tags are names and values in turn.
 */
public record Registration(MeterRegistry registry) {
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
