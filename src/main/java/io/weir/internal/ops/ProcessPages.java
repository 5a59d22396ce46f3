package io.weir.internal.ops;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.internal.app.BuildInfo;
import io.weir.internal.app.Key;
import io.weir.internal.app.Keys;
import io.weir.internal.app.WeirConfig;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
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

  /**
   * When the certificates expire that a Kafka client has loaded. Clients read them at their start:
   * a renewed file counts after a restart.
   */
  static final class CertificateExpiry {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateExpiry.class);

    private CertificateExpiry() {}

    /**
     * The times by use: {@code kafka-key} for the first of the client's own chain, {@code
     * kafka-trust} for the last of those that it trusts. Empty without TLS, or without stores of
     * its own.
     *
     * @param client settings of a Kafka client
     */
    static Map<String, Instant> of(Map<String, Object> client) {
      Map<String, Instant> expiries = new TreeMap<>();
      if (!String.valueOf(client.get("security.protocol")).endsWith("SSL")) {
        return expiries;
      }
      ConfigDef ssl = new ConfigDef();
      SslConfigs.addClientSslSupport(ssl);
      try (DefaultSslEngineFactory stores = new DefaultSslEngineFactory()) {
        stores.configure(ssl.parse(client));
        times(stores.keystore())
            .min(Comparator.naturalOrder())
            .ifPresent(first -> expiries.put("kafka-key", first));
        times(stores.truststore())
            .max(Comparator.naturalOrder())
            .ifPresent(last -> expiries.put("kafka-trust", last));
      } catch (KafkaException | GeneralSecurityException e) {
        LOG.debug("cannot read certificates", e); // The client itself reports it.
      }
      return expiries;
    }

    private static Stream<Instant> times(KeyStore store) throws GeneralSecurityException {
      List<Instant> times = new ArrayList<>();
      if (store != null) {
        for (String alias : Collections.list(store.aliases())) {
          Certificate[] chain =
              Optional.ofNullable(store.getCertificateChain(alias))
                  .orElse(new Certificate[] {store.getCertificate(alias)});
          for (Certificate each : chain) {
            if (each instanceof X509Certificate certificate) {
              times.add(certificate.getNotAfter().toInstant());
            }
          }
        }
      }
      return times.stream();
    }
  }

  /** Version and settings of the process, as JSON, without data and secrets. */
  static final class InfoPage implements Page {
    private final BuildInfo build;
    private final WeirConfig config;
    private final Supplier<String> topology;

    /**
     * @param topology its description, as lines of text; may be empty
     */
    public InfoPage(BuildInfo build, WeirConfig config, Supplier<String> topology) {
      this.build = build;
      this.config = config;
      this.topology = topology;
    }

    @Override
    public Reply.Text reply(PageRequest request) {
      return new Reply.Text(200, "application/json", json(build, config, topology.get()));
    }

    private static String json(BuildInfo build, WeirConfig config, String topology) {
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      json.put("version", build.version());
      json.put("revision", build.revision());
      json.put("java", System.getProperty("java.version"));
      config.shown().forEach(json.putObject("configuration")::put);
      config.kafka().shown().forEach(json.putObject("kafka")::put);
      if (!topology.isEmpty()) {
        topology.stripTrailing().lines().forEach(json.putArray("topology")::add);
      }
      return json.toPrettyString() + "\n";
    }
  }

  /** Meters of every process: its build, its JVM, its start time. */
  static final class ProcessMeters implements MeterBinder, AutoCloseable {
    private final BuildInfo build;
    private final JvmGcMetrics gc = new JvmGcMetrics();

    public ProcessMeters(BuildInfo build) {
      this.build = build;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
      Gauge.builder(RunMetric.BUILD.meterName(), () -> 1)
          .description(RunMetric.BUILD.meaning())
          .tags(Tags.of("version", build.version(), "revision", build.revision()))
          .register(registry);
      gc.bindTo(registry);
      new JvmMemoryMetrics().bindTo(registry);
      new JvmThreadMetrics().bindTo(registry);
      new ProcessorMetrics().bindTo(registry);
      new FileDescriptorMetrics().bindTo(registry);
      new UptimeMetrics().bindTo(registry);
    }

    /** Removes the listeners from the JVM. */
    @Override
    public void close() {
      gc.close();
    }
  }
}
