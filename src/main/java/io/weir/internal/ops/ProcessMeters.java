package io.weir.internal.ops;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.weir.internal.app.BuildInfo;

/** Meters of every process: its build, its JVM, its start time. */
public final class ProcessMeters implements MeterBinder, AutoCloseable {
  private final BuildInfo build;
  private final JvmGcMetrics gc = new JvmGcMetrics();

  public ProcessMeters(BuildInfo build) {
    this.build = build;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder(RunMetric.BUILD.meterName(), () -> 1)
        .description(RunMetric.BUILD.meaning())
        .tags(Tags.of("version", build.version(), "revision", build.revision()))
        .register(registry);
    gc.bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
  }

  /** Removes the listeners from the JVM. */
  @Override
  public void close() {
    gc.close();
  }
}
