package io.weir.ops;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.app.HttpSettings;
import io.weir.app.Keys;
import io.weir.app.Service;
import io.weir.app.StartRefusedException;
import io.weir.app.StartRetry;
import io.weir.app.WeirConfig;
import io.weir.time.MonotonicClock;
import java.util.Map;
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
  private final Probes probes = new Probes();
  private final ProcessPages pages;
  private final Thread starter = Thread.currentThread();
  private Service service;
  private boolean stopped;

  private ServiceProcess(WeirConfig config) {
    this.config = config;
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    this.pages = new ProcessPages(config, KafkaMeters.limit(registry), this::topologyDescription);
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
    ServiceProcess process = new ServiceProcess(config);
    Map<String, Page> probes = process.probes.pages();
    process.pages.add(own);
    process.pages.add(probes);
    HttpSettings http = config.http();
    process.pages.answer(http.port(), Keys.HTTP_PORT);
    http.probePort().ifPresent(port -> process.pages.answer(port, Keys.HTTP_PROBE_PORT, probes));
    return process;
  }

  /** Where meters of the service are registered. */
  public PrometheusMeterRegistry registry() {
    return pages.registry();
  }

  /** Is run before the meters are read. */
  public void beforeScrape(Runnable refresher) {
    pages.beforeScrape(refresher);
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
    pages.close();
  }
}
