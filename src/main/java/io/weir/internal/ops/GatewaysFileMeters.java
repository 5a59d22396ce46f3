package io.weir.internal.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Versions of the file of gateways, as meters. Safe for many threads. */
final class GatewaysFileMeters {
  private final Counter accepted;
  private final Counter refused;
  private volatile boolean isRefused;

  GatewaysFileMeters(MeterRegistry registry) {
    accepted = counter("accepted", registry);
    refused = counter("refused", registry);
    Gauge.builder(
            RunMetric.GATEWAYS_FILE_REFUSED.meterName(), this, meters -> meters.isRefused ? 1 : 0)
        .description(RunMetric.GATEWAYS_FILE_REFUSED.meaning())
        .register(registry);
  }

  private static Counter counter(String outcome, MeterRegistry registry) {
    return Counter.builder(RunMetric.GATEWAYS_FILE_VERSIONS.meterName())
        .description(RunMetric.GATEWAYS_FILE_VERSIONS.meaning())
        .tags("outcome", outcome)
        .register(registry);
  }

  /** A version was seen. */
  void seen(boolean isAccepted) {
    isRefused = !isAccepted;
    (isAccepted ? accepted : refused).increment();
  }
}
