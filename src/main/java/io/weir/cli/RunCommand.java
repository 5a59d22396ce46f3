package io.weir.cli;

import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.app.Keys;
import io.weir.app.StartRefusedException;
import io.weir.app.WeirApplication;
import io.weir.app.WeirConfig;
import io.weir.ops.Health;
import io.weir.ops.HttpEndpoint;
import io.weir.ops.Meters;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/** {@code weir run}: the topology, for production. */
@Command(
    name = "run",
    description = "Aggregate readings into windows, until stopped.",
    footer = {
      "",
      "Needs the topics (weir topics). Run as many as there is work for, up to 64 threads in",
      "all: they share the partitions. Stops cleanly on SIGTERM and Ctrl-C.",
      "Health and metrics: /livez, /readyz, /metrics on --http-port.",
      "Exit status: 0 asked to stop, 1 it could not go on, 2 a setting is wrong.",
      "",
      "Examples:",
      "  weir run",
      "  weir run --bootstrap-servers kafka-0:9092 --window-size 1m --threads 4",
      "  WEIR_INSTANCE_ID=$HOSTNAME weir run --config /etc/weir/weir.properties"
    })
final class RunCommand implements Callable<Integer>, ConfigOptions.Configured {
  private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);

  private final ConfigOptions configOptions =
      new ConfigOptions(
          Keys.BOOTSTRAP_SERVERS,
          Keys.APPLICATION_ID,
          Keys.INSTANCE_ID,
          Keys.SCHEMA_REGISTRY_URL,
          Keys.TOPIC_READINGS,
          Keys.TOPIC_WINDOWS,
          Keys.TOPIC_LATE,
          Keys.TOPIC_DEAD_LETTERS,
          Keys.WINDOW_SIZE,
          Keys.WINDOW_GRACE,
          Keys.ALLOWED_LATENESS,
          Keys.IDLE_TIMEOUT,
          Keys.MAX_FUTURE_SKEW,
          Keys.SENSOR_TTL,
          Keys.STATE_DIR,
          Keys.THREADS,
          Keys.HTTP_PORT);

  @Override
  public ConfigOptions configOptions() {
    return configOptions;
  }

  @Override
  public Integer call() {
    WeirConfig config = configOptions.load();
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (WeirApplication application = WeirApplication.start(config, new Meters(registry));
        KafkaStreamsMetrics kafkaMetrics = new KafkaStreamsMetrics(application.streams());
        JvmGcMetrics gcMetrics = new JvmGcMetrics()) {
      kafkaMetrics.bindTo(registry);
      gcMetrics.bindTo(registry);
      new JvmMemoryMetrics().bindTo(registry);
      new JvmThreadMetrics().bindTo(registry);
      new ProcessorMetrics().bindTo(registry);
      StopSignal.install(application::close);
      Optional<HttpEndpoint> endpoint = endpoint(config, application, registry);
      try {
        application.ended().join().ifPresent(RunCommand::fail);
        return 0;
      } finally {
        endpoint.ifPresent(HttpEndpoint::close);
      }
    }
  }

  private static void fail(String reason) {
    throw new StartRefusedException(reason);
  }

  /**
   * Without its port it aggregates all the same: who probes it will see, who does not will read.
   */
  private static Optional<HttpEndpoint> endpoint(
      WeirConfig config, WeirApplication application, PrometheusMeterRegistry registry) {
    Health health = new Health(application::state, application.ended());
    try {
      HttpEndpoint endpoint = HttpEndpoint.start(config.httpPort(), health, registry::scrape);
      LOG.info("health and metrics on port {}", endpoint.port());
      return Optional.of(endpoint);
    } catch (IOException e) {
      LOG.warn(
          "weir.http.port = {}: {}; no health and metrics (0 takes any free port)",
          config.httpPort(),
          e.getMessage());
      return Optional.empty();
    }
  }
}
