package io.weir.cli;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.app.BuildInfo;
import io.weir.app.Keys;
import io.weir.app.StartRefusedException;
import io.weir.app.WeirApplication;
import io.weir.app.WeirConfig;
import io.weir.ops.ApplicationMeters;
import io.weir.ops.Health;
import io.weir.ops.HttpEndpoint;
import io.weir.ops.InfoPage;
import io.weir.ops.KafkaMeters;
import io.weir.ops.Meters;
import io.weir.ops.MetricsPage;
import io.weir.ops.Page;
import io.weir.ops.ProcessMeters;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code weir run}: the topology, for production. */
@Command(
    name = "run",
    description = "Aggregate readings into windows, until stopped.",
    footer = {
      "",
      "Needs the topics (weir topics). Several processes share the partitions, with up to 64",
      "threads in all. Stops cleanly on SIGTERM and Ctrl-C.",
      "On --http-port: /livez, /readyz, /metrics, /info.",
      "Exit status: 0 asked to stop, 1 it could not go on, 2 a setting is wrong.",
      "",
      "Examples:",
      "  weir run",
      "  weir run --bootstrap-servers kafka-0:9092 --window-size 1m --threads 4",
      "  WEIR_INSTANCE_ID=$HOSTNAME weir run --config /etc/weir/weir.properties"
    })
final class RunCommand implements Callable<Integer>, ConfigOptions.Configured {
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
          Keys.HTTP_PORT,
          Keys.HTTP_HOST,
          Keys.LOG_FORMAT);

  @Override
  public ConfigOptions configOptions() {
    return configOptions;
  }

  @Override
  public Integer call() {
    WeirConfig config = configOptions.load();
    BuildInfo build = BuildInfo.load();
    PrometheusMeterRegistry registry =
        KafkaMeters.limit(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
    Meters meters = new Meters(registry);
    try (WeirApplication application = WeirApplication.start(config, meters);
        KafkaMeters kafkaMeters = new KafkaMeters(application.streams());
        ProcessMeters processMeters = new ProcessMeters(build)) {
      processMeters.bindTo(registry);
      StopSignal.install(application::close);
      Health health = Health.of(application, config.http().rebalanceTolerance());
      ApplicationMeters applicationMeters =
          new ApplicationMeters(application, config.topics().readings(), health, registry);
      Map<String, Page> probes =
          Map.of(
              "/livez",
              accept -> Page.yesOrNo(health.isLive(), health.describe()),
              "/readyz",
              accept -> Page.yesOrNo(health.isReady(), health.describe()));
      Map<String, Page> pages = new HashMap<>(probes);
      pages.put(
          "/metrics",
          new MetricsPage(registry, List.of(meters::refresh, applicationMeters::refresh)));
      pages.put("/info", new InfoPage(build, config, application.drawing()));
      Optional<HttpEndpoint> endpoint =
          Endpoints.start(config.http().host(), config.http().port(), Keys.HTTP_PORT, pages);
      Optional<HttpEndpoint> probeEndpoint =
          config
              .http()
              .probePort()
              .flatMap(
                  port ->
                      Endpoints.start(config.http().host(), port, Keys.HTTP_PROBE_PORT, probes));
      try {
        kafkaMeters.bindTo(registry);
        application.ended().join().ifPresent(RunCommand::fail);
        return 0;
      } finally {
        probeEndpoint.ifPresent(HttpEndpoint::close);
        endpoint.ifPresent(HttpEndpoint::close);
      }
    }
  }

  private static void fail(String reason) {
    throw new StartRefusedException(reason);
  }
}
