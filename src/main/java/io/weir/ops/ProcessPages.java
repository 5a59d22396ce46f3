package io.weir.ops;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.app.BuildInfo;
import io.weir.app.Key;
import io.weir.app.WeirConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * What every process shows over HTTP: its metrics, with those of the process itself, and {@code
 * /info}. One thread makes and closes it.
 */
public final class ProcessPages implements AutoCloseable {
  private final WeirConfig config;
  private final PrometheusMeterRegistry registry;
  private final ProcessMeters processMeters;
  private final List<Runnable> refreshers = new CopyOnWriteArrayList<>();
  private final List<HttpEndpoint> endpoints = new ArrayList<>();
  private final Map<String, Page> pages = new HashMap<>();

  /**
   * @param registry that the metrics are of; gets the meters of the process
   * @param topologyDescription of the service, for {@code /info}; empty where there is none
   */
  public ProcessPages(
      WeirConfig config, PrometheusMeterRegistry registry, Supplier<String> topologyDescription) {
    this.config = config;
    this.registry = registry;
    BuildInfo build = BuildInfo.load();
    processMeters = new ProcessMeters(build);
    processMeters.bindTo(registry);
    pages.put("/metrics", new MetricsPage(registry, refreshers));
    pages.put("/info", new InfoPage(build, config, topologyDescription));
  }

  /** Adds pages of the process's own, by path. */
  public void add(Map<String, Page> own) {
    pages.putAll(own);
  }

  /** Answers on a port with all pages. Without it the process works all the same. */
  public void answer(int port, Key<Integer> key) {
    answer(port, key, pages);
  }

  /** The same, with these pages alone. */
  void answer(int port, Key<Integer> key, Map<String, Page> some) {
    Endpoints.start(config.http().host(), port, key, some).ifPresent(endpoints::add);
  }

  /** Where meters are registered. */
  public PrometheusMeterRegistry registry() {
    return registry;
  }

  /** Is run before the meters are read. */
  void beforeScrape(Runnable refresher) {
    refreshers.add(refresher);
  }

  /** Answers no more. */
  @Override
  public void close() {
    endpoints.forEach(HttpEndpoint::close);
    processMeters.close();
  }
}
