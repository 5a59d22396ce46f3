package io.weir.cli;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.app.BuildInfo;
import io.weir.app.Keys;
import io.weir.app.WeirConfig;
import io.weir.ops.HttpEndpoint;
import io.weir.ops.InfoPage;
import io.weir.ops.MetricsPage;
import io.weir.ops.Page;
import io.weir.ops.ProcessMeters;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Health and metrics of a gateway, where a port is set for them. It is live and ready as long as it
 * answers: whether the brokers take what it sends is told by its metrics.
 */
final class EdgeWatch implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final ProcessMeters processMeters;
  private final Optional<HttpEndpoint> endpoint;

  EdgeWatch(WeirConfig config) {
    BuildInfo build = BuildInfo.load();
    processMeters = new ProcessMeters(build);
    processMeters.bindTo(registry);
    Map<String, Page> pages =
        Map.of(
            "/livez",
            accept -> Page.yesOrNo(true, "publishing\n"),
            "/readyz",
            accept -> Page.yesOrNo(true, "publishing\n"),
            "/metrics",
            new MetricsPage(registry, List.of()),
            "/info",
            new InfoPage(build, config, ""));
    endpoint =
        config
            .http()
            .edgePort()
            .flatMap(
                port -> Endpoints.start(config.http().host(), port, Keys.EDGE_HTTP_PORT, pages));
  }

  /** Where the publisher's meters go. */
  MeterRegistry registry() {
    return registry;
  }

  @Override
  public void close() {
    endpoint.ifPresent(HttpEndpoint::close);
    processMeters.close();
  }
}
