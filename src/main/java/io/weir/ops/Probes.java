package io.weir.ops;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;

/**
 * What {@code /livez} and {@code /readyz} say: while the application starts, what it waits for, and
 * then its {@link Health}. Safe for many threads.
 */
public final class Probes {
  private volatile String waitsFor = "the checks of Kafka";
  private volatile Health health;

  /** The application cannot start yet. */
  public void waiting(String what) {
    waitsFor = what;
  }

  /** The application runs. */
  public void running(Health itsHealth) {
    health = itsHealth;
  }

  /** The two pages, by path. */
  public Map<String, Page> pages() {
    return Map.of(
        "/livez", accept -> Page.yesOrNo(isLive(), describe()),
        "/readyz", accept -> Page.yesOrNo(isReady(), describe()));
  }

  /** Registers {@link Metric#READY}. */
  public void bindTo(MeterRegistry registry) {
    Gauge.builder(Metric.READY.meterName(), this, probes -> probes.isReady() ? 1 : 0)
        .description(Metric.READY.meaning())
        .strongReference(true)
        .register(registry);
  }

  boolean isLive() {
    return health == null || health.isLive();
  }

  boolean isReady() {
    return health != null && health.isReady();
  }

  String describe() {
    return health == null ? "STARTING, waiting for: " + waitsFor + "\n" : health.describe();
  }
}
