package io.weir.cli;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.app.BuildInfo;
import io.weir.app.HttpSettings;
import io.weir.app.Keys;
import io.weir.app.StartRefusedException;
import io.weir.app.TopicKeys;
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
import io.weir.ops.Probes;
import io.weir.ops.ProcessMeters;
import io.weir.topic.Topic;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.errors.InterruptException;
import picocli.CommandLine.Command;

/** {@code weir run}: the topology, for production. */
@Command(
    name = "run",
    description = "Aggregate readings into windows, until stopped.",
    footer = {
      "",
      "Needs the topics (weir topics). Several processes share the partitions, with up to 64",
      "threads in all. Stops cleanly on SIGTERM and Ctrl-C.",
      "On --http-port: /livez, /readyz, /metrics, /info, from before Kafka answers. A Kafka that",
      "does not answer is waited for, weir.start.timeout long at the start and then for ever.",
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
          TopicKeys.name(Topic.READINGS),
          TopicKeys.name(Topic.WINDOWS),
          TopicKeys.name(Topic.LATE),
          TopicKeys.name(Topic.DEAD_LETTERS),
          TopicKeys.name(Topic.CONTROL),
          Keys.WINDOW_SIZE,
          Keys.WINDOW_GRACE,
          Keys.ALLOWED_LATENESS,
          Keys.STATISTICS,
          Keys.IDLE_TIMEOUT,
          Keys.MAX_FUTURE_SKEW,
          Keys.SENSOR_TTL,
          Keys.STATE_DIR,
          Keys.THREADS,
          Keys.HTTP_PORT,
          Keys.HTTP_HOST,
          Keys.LOG_FORMAT,
          Keys.LOG_LEVEL);

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
    Probes probes = new Probes();
    probes.bindTo(registry);
    StartedApplication started = new StartedApplication(Thread.currentThread());
    StopSignal.install(started::stop);
    try (ProcessMeters processMeters = new ProcessMeters(build)) {
      processMeters.bindTo(registry);
      List<Runnable> refreshers = new CopyOnWriteArrayList<>(List.of(meters::refresh));
      Map<String, Page> pages = new HashMap<>(probes.pages());
      pages.put("/metrics", new MetricsPage(registry, refreshers));
      pages.put("/info", new InfoPage(build, config, started::drawing));
      HttpSettings http = config.http();
      Optional<HttpEndpoint> endpoint =
          Endpoints.start(http.host(), http.port(), Keys.HTTP_PORT, pages);
      Optional<HttpEndpoint> probeEndpoint =
          http.probePort()
              .flatMap(
                  port -> Endpoints.start(http.host(), port, Keys.HTTP_PROBE_PORT, probes.pages()));
      try (WeirApplication application = started.start(config, meters, probes::waiting);
          KafkaMeters kafkaMeters = new KafkaMeters(application.streams())) {
        probes.running(Health.of(application, http));
        ApplicationMeters applicationMeters =
            new ApplicationMeters(application, config.topics().readings(), registry);
        refreshers.add(applicationMeters::refresh);
        kafkaMeters.bindTo(registry);
        application.ended().join().ifPresent(RunCommand::fail);
        return 0;
      } catch (InterruptException e) {
        return 0; // Asked to stop before it had started.
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
