package io.weir.ops;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.app.BuildInfo;
import io.weir.app.HttpSettings;
import io.weir.app.Key;
import io.weir.app.Keys;
import io.weir.app.Service;
import io.weir.app.StartRefusedException;
import io.weir.app.StartRetry;
import io.weir.app.WeirConfig;
import io.weir.time.MonotonicClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process around a {@link Service}: answers probes and scrapers from before the service starts,
 * waits for Kafka, runs the service until it ends, and ends it when asked to. One thread opens,
 * runs and closes it; {@link #stop} may be called by any.
 */
public final class ServiceProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceProcess.class);

  private final WeirConfig config;
  private final PrometheusMeterRegistry registry =
      KafkaMeters.limit(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
  private final Probes probes = new Probes();
  private final ProcessMeters processMeters;
  private final List<Runnable> refreshers = new CopyOnWriteArrayList<>();
  private final List<HttpEndpoint> endpoints = new ArrayList<>();
  private final Thread starter = Thread.currentThread();
  private Service service;
  private boolean stopped;

  private ServiceProcess(WeirConfig config, BuildInfo build) {
    this.config = config;
    this.processMeters = new ProcessMeters(build);
    processMeters.bindTo(registry);
    probes.bindTo(registry);
  }

  /** Opens the ports, as they are configured. Without them the service works all the same. */
  public static ServiceProcess open(WeirConfig config) {
    return open(config, Map.of());
  }

  /**
   * Opens the ports, as they are configured. Without them the service works all the same.
   *
   * @param own pages of the service, by path, beside those that every service has
   */
  public static ServiceProcess open(WeirConfig config, Map<String, Page> own) {
    BuildInfo build = BuildInfo.load();
    ServiceProcess process = new ServiceProcess(config, build);
    Map<String, Page> pages = new HashMap<>(own);
    pages.putAll(process.probes.pages());
    pages.put("/metrics", new MetricsPage(process.registry, process.refreshers));
    pages.put("/info", new InfoPage(build, config, process::topologyDescription));
    HttpSettings http = config.http();
    process.answer(http.port(), Keys.HTTP_PORT, pages);
    http.probePort()
        .ifPresent(port -> process.answer(port, Keys.HTTP_PROBE_PORT, process.probes.pages()));
    return process;
  }

  private void answer(int port, Key<Integer> key, Map<String, Page> pages) {
    Endpoints.start(config.http().host(), port, key, pages).ifPresent(endpoints::add);
  }

  /** Where meters of the service are registered. */
  public PrometheusMeterRegistry registry() {
    return registry;
  }

  /** Is run before the meters are read. */
  public void beforeScrape(Runnable refresher) {
    refreshers.add(refresher);
  }

  /**
   * Starts a service, as soon as Kafka answers, and returns when it has ended as it was asked to.
   *
   * @param start is called again while it throws {@link io.weir.app.KafkaAwayException}, for {@code
   *     weir.start.timeout} at the most
   * @param meters makes the meters of the started service
   * @throws StartRefusedException if the service ended for a reason of its own
   */
  public <S extends Service> void run(
      Supplier<S> start, Function<? super S, ? extends ServiceMeters> meters) {
    try (S running = started(start);
        ServiceMeters itsMeters = meters.apply(running)) {
      probes.running(running);
      beforeScrape(itsMeters::refresh);
      running
          .ended()
          .join()
          .ifPresent(
              reason -> {
                throw new StartRefusedException(reason);
              });
    } catch (InterruptException e) {
      LOG.debug("asked to stop before it had started", e);
    }
  }

  private <S extends Service> S started(Supplier<S> start) {
    StartRetry retry =
        new StartRetry(config.http().startTimeout(), MonotonicClock::millis, ServiceProcess::pause);
    S begun = retry.start(start, probes::waiting, what -> LOG.warn("waiting: {}", what));
    synchronized (this) {
      service = begun;
      if (stopped) {
        begun.close();
      }
    }
    return begun;
  }

  private static void pause(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  /** The description of the topology; empty while it has not started. */
  private synchronized String topologyDescription() {
    return service == null ? "" : service.topologyDescription();
  }

  /** Ends the service, or its start. */
  public void stop() {
    Service running;
    synchronized (this) {
      stopped = true;
      running = service;
      if (running == null) {
        starter.interrupt();
      }
    }
    if (running != null) {
      running.close();
    }
  }

  /** Answers no more. */
  @Override
  public void close() {
    endpoints.forEach(HttpEndpoint::close);
    processMeters.close();
  }
}
