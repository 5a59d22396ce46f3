package io.weir.internal.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.internal.app.Keys;
import io.weir.internal.app.Service;
import io.weir.internal.app.StartRefusedException;
import io.weir.internal.app.StartRetry;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.time.MonotonicClock;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process around a {@link Service}: serves probes and metrics before the service starts, waits
 * for Kafka, runs the service until it ends, and stops it on request. One thread opens, runs and
 * closes it; any thread may call {@link #stop}.
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

  /** Opens the configured ports. If a port cannot be opened, the service runs without it. */
  public static ServiceProcess open(WeirConfig config) {
    return open(config, Map.of());
  }

  /**
   * Opens the configured ports. If a port cannot be opened, the service runs without it.
   *
   * @param more pages of the service, by path, in addition to those of every service
   */
  public static ServiceProcess open(WeirConfig config, Map<String, Page> more) {
    ServiceProcess process = new ServiceProcess(config);
    process.pages.add(more);
    Optional<Integer> port = Optional.of(config.http().port());
    process.pages.answer(port, Keys.HTTP_PORT, process.probes.pages());
    return process;
  }

  /** The registry of the service's meters. */
  public PrometheusMeterRegistry registry() {
    return pages.registry();
  }

  /** Registers the meters of the probes in another registry too. */
  public void bindProbes(MeterRegistry more) {
    probes.bindTo(more);
  }

  /** Adds an action that runs before the meters are read. */
  public void beforeScrape(Runnable refresher) {
    pages.beforeScrape(refresher);
  }

  /**
   * Starts a service, as soon as Kafka answers, and returns after a requested stop.
   *
   * @param start called again while it throws {@link io.weir.internal.app.KafkaAwayException}, for
   *     {@code weir.start.timeout} at the most
   * @param meters creates the meters of the started service
   * @throws StartRefusedException if the service failed
   */
  public <S extends Service> void run(
      Supplier<S> start, Function<? super S, ? extends ServiceMeters> meters) {
    try (S running = started(start);
        ServiceMeters itsMeters = RefreshedMeters.of(meters.apply(running))) {
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
      LOG.debug("stopped during the start", e);
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

  /** The description of the topology; empty before the start. */
  private synchronized String topologyDescription() {
    return service == null ? "" : service.topologyDescription();
  }

  /** Stops the service, or its start. */
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

  /** Closes the ports. */
  @Override
  public void close() {
    pages.close();
  }
}
