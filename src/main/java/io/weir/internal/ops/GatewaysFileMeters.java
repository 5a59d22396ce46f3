package io.weir.internal.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Versions of the file of gateways, as meters. Safe for many threads. */
final class GatewaysFileMeters {
  private final Counter accepted;
  private final Counter refused;
  private volatile boolean isRefused;

  GatewaysFileMeters(MeterRegistry registry) {
    Registration meters = new Registration(registry);
    accepted = meters.counter(RunMetric.GATEWAYS_FILE_VERSIONS, "outcome", "accepted");
    refused = meters.counter(RunMetric.GATEWAYS_FILE_VERSIONS, "outcome", "refused");
    meters.gauge(RunMetric.GATEWAYS_FILE_REFUSED, this, of -> of.isRefused ? 1 : 0);
  }

  /** A version was seen. */
  void seen(boolean isAccepted) {
    isRefused = !isAccepted;
    (isAccepted ? accepted : refused).increment();
  }
}
