package io.weir.internal.ops;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.internal.app.BuildInfo;
import io.weir.internal.app.Key;
import io.weir.internal.app.Keys;
import io.weir.internal.app.WeirConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP pages of every process: its metrics, with those of the JVM, and {@code /info}. One
 * thread creates and closes it.
 */
public final class ProcessPages implements AutoCloseable {
  private final WeirConfig config;
  private final PrometheusMeterRegistry registry;
  private final ProcessMeters processMeters;
  private final List<Runnable> refreshers = new CopyOnWriteArrayList<>();
  private final List<HttpEndpoint> endpoints = new ArrayList<>();
  private final Map<String, Page> pages = new HashMap<>();

  /**
   * @param registry registry of the metrics; meters of the process are added
   * @param topology its description, for {@code /info}; may be empty
   */
  public ProcessPages(
      WeirConfig config, PrometheusMeterRegistry registry, Supplier<String> topology) {
    this.config = config;
    this.registry = registry;
    config.plant().ifPresent(plant -> registry.config().commonTags("plant", plant));
    BuildInfo build = BuildInfo.load();
    processMeters = new ProcessMeters(build);
    processMeters.bindTo(registry);
    CertificateExpiry.of(config.kafka().forAdmin())
        .forEach(
            (use, expiry) ->
                new Registration(registry)
                    .milliseconds(
                        RunMetric.CERTIFICATE_EXPIRES,
                        expiry,
                        at -> at.toEpochMilli() - System.currentTimeMillis(),
                        "use",
                        use));
    pages.put("/metrics", new MetricsPage(registry, refreshers));
    pages.put("/info", new InfoPage(build, config, topology));
  }

  /** Adds pages, by path. */
  public void add(Map<String, Page> more) {
    pages.putAll(more);
  }

  /**
   * Serves all pages and the probes on a port, if there is one, and the probes alone on {@code
   * weir.http.probe.port}. If a port cannot be opened, the process continues without it.
   */
  public void answer(Optional<Integer> port, Key<Integer> key, Map<String, Page> probes) {
    pages.putAll(probes);
    port.ifPresent(open -> serve(open, key, pages));
    config.http().probePort().ifPresent(open -> serve(open, Keys.HTTP_PROBE_PORT, probes));
  }

  private void serve(int port, Key<Integer> key, Map<String, Page> some) {
    Endpoints.start(config.http().host(), port, key, some).ifPresent(endpoints::add);
  }

  /** The registry of the meters. */
  public PrometheusMeterRegistry registry() {
    return registry;
  }

  /** Adds an action that runs before the meters are read. */
  void beforeScrape(Runnable refresher) {
    refreshers.add(refresher);
  }

  /** Stops serving. */
  @Override
  public void close() {
    endpoints.forEach(HttpEndpoint::close);
    processMeters.close();
  }

  /** Serves health and metrics of a command. */
  static final class Endpoints {
    private static final Logger LOG = LoggerFactory.getLogger(Endpoints.class);

    private Endpoints() {}

    /**
     * Starts the endpoint. If the port cannot be opened, the command runs without health and
     * metrics, and logs a warning.
     */
    public static Optional<HttpEndpoint> start(
        String host, int port, Key<Integer> key, Map<String, Page> pages) {
      try {
        HttpEndpoint endpoint = HttpEndpoint.start(host, port, pages);
        String what = pages.containsKey("/metrics") ? "health and metrics" : "health only";
        LOG.info("{} on port {}", what, endpoint.port());
        return Optional.of(endpoint);
      } catch (IOException e) {
        LOG.warn(
            "{} = {}: {}; no health and metrics (0 chooses a free port)",
            key.propertyName(),
            port,
            e.getMessage());
        return Optional.empty();
      }
    }
  }
}
