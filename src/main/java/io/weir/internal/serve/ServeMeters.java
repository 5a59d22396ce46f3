package io.weir.internal.serve;

import io.micrometer.core.instrument.MeterRegistry;
import io.weir.internal.ops.Registration;
import io.weir.internal.ops.ServeMetric;
import io.weir.internal.ops.ServiceMeters;
import java.util.List;

/** The state of a running {@link Serve}, as meters. Safe for many threads. */
public final class ServeMeters implements ServiceMeters {
  /** Registers all of them but the requests, which are counted as they come. */
  public ServeMeters(Serve serve, MeterRegistry registry) {
    Registration meters = new Registration(registry);
    meters.timer(ServeMetric.REQUEST, serve.site(), ServeSite::answered, ServeSite::nanos);
    for (String part : List.of("sensors", "ring", "refused")) {
      meters.gauge(ServeMetric.MEMORY, serve.memory(), of -> of.bytes().get(part), "part", part);
    }
    meters.milliseconds(
        ServeMetric.HISTORY,
        serve.memory(),
        of -> {
          long nowMs = System.currentTimeMillis();
          long fromMs = of.overview(nowMs).historyFromMs();
          return fromMs == 0 ? 0 : Math.max(0, nowMs - fromMs);
        });
    meters.gauge(ServeMetric.STREAMS, serve, Serve::streams);
    meters.counter(ServeMetric.SCANNED, serve, Serve::scannedBytes);
    meters.counter(
        ServeMetric.UNLISTED,
        serve.memory(),
        of -> of.overview(System.currentTimeMillis()).unlisted());
    meters.gauge(ServeMetric.LAG, serve, Serve::lagMs);
  }
}
