package io.weir.cli;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.app.BuildInfo;
import io.weir.app.EdgeKeys;
import io.weir.app.WeirConfig;
import io.weir.edge.PublisherStatus;
import io.weir.edge.ReadingPublisher;
import io.weir.ops.Endpoints;
import io.weir.ops.HttpEndpoint;
import io.weir.ops.InfoPage;
import io.weir.ops.MetricsPage;
import io.weir.ops.Page;
import io.weir.ops.ProcessMeters;
import io.weir.ops.Reply;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Health and metrics of a gateway, where a port is set for them. It is live as long as it answers,
 * and ready while its publisher gets readings to the brokers.
 */
final class EdgeWatch implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final ProcessMeters processMeters;
  private final Optional<HttpEndpoint> endpoint;
  private volatile Supplier<PublisherStatus> status =
      () -> new PublisherStatus(PublisherStatus.State.CONNECTING, "");

  EdgeWatch(WeirConfig config) {
    BuildInfo build = BuildInfo.load();
    processMeters = new ProcessMeters(build);
    processMeters.bindTo(registry);
    Map<String, Page> pages =
        Map.of(
            "/livez",
            request -> Page.yesOrNo(true, "running\n"),
            "/readyz",
            request -> readiness(status.get()),
            "/metrics",
            new MetricsPage(registry, List.of()),
            "/info",
            new InfoPage(build, config, () -> ""));
    endpoint =
        config
            .http()
            .edgePort()
            .flatMap(
                port ->
                    Endpoints.start(config.http().host(), port, EdgeKeys.EDGE_HTTP_PORT, pages));
  }

  /** The publisher whose status {@code /readyz} shows. */
  void show(ReadingPublisher publisher) {
    status = publisher::status;
  }

  /** Yes while readings get through, and the state with its cause. */
  static Reply.Text readiness(PublisherStatus status) {
    String state = status.state().name().toLowerCase(Locale.ROOT);
    String cause = status.cause().isEmpty() ? "" : ": " + status.cause();
    return Page.yesOrNo(status.isPublishing(), state + cause + "\n");
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
