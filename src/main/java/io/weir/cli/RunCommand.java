package io.weir.cli;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.internal.app.EventKeys;
import io.weir.internal.app.Keys;
import io.weir.internal.app.OutputKeys;
import io.weir.internal.app.RegistryKeys;
import io.weir.internal.app.SigningKeys;
import io.weir.internal.app.TopicKeys;
import io.weir.internal.app.WeirApplication;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.app.WindowKeys;
import io.weir.internal.hot.HotBoard;
import io.weir.internal.ops.ApplicationMeters;
import io.weir.internal.ops.HotPage;
import io.weir.internal.ops.Meters;
import io.weir.internal.ops.ServiceProcess;
import io.weir.topic.Topic.User;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code weir run}: runs the topology. */
@Command(
    name = "run",
    description = "Aggregate readings into windows, until stopped.",
    footer = {
      "",
      "Needs the topics (weir topics). Several processes share the partitions, with up to 64",
      "threads in total. Stops cleanly on SIGTERM and Ctrl-C.",
      "On --http-port: /livez, /readyz, /metrics, /info, /hot, also before Kafka answers. Waits",
      "for a Kafka that does not answer: weir.start.timeout at startup, later without limit.",
      "Exit status: 0 stopped by a signal, 1 failed, 2 a setting is wrong.",
      "",
      "Examples:",
      "  weir run",
      "  weir run --bootstrap-servers kafka-0:9092 --window-size 1m --threads 4",
      "  WEIR_INSTANCE_ID=$HOSTNAME weir run --config /etc/weir/weir.properties"
    })
final class RunCommand implements Callable<Integer>, ConfigOptions.Configured {
  private final ConfigOptions configOptions =
      new ConfigOptions(
          TopicKeys.with(
              List.of(
                  Keys.BOOTSTRAP_SERVERS,
                  Keys.APPLICATION_ID,
                  Keys.INSTANCE_ID,
                  RegistryKeys.SCHEMA_REGISTRY_URL,
                  WindowKeys.WINDOW_SIZE,
                  WindowKeys.WINDOW_GRACE,
                  WindowKeys.ALLOWED_LATENESS,
                  WindowKeys.STATISTICS,
                  WindowKeys.ROLLUPS,
                  WindowKeys.HOPPING,
                  WindowKeys.HOPPING_SENSORS,
                  OutputKeys.LATEST,
                  OutputKeys.LATEST_OF,
                  OutputKeys.COMPRESSION,
                  EventKeys.STATUS,
                  EventKeys.SILENT_AFTER,
                  EventKeys.RULES_FILE,
                  SigningKeys.GATEWAYS_FILE,
                  EventKeys.GROUP,
                  EventKeys.EVENTS,
                  WindowKeys.IDLE_TIMEOUT,
                  WindowKeys.MAX_FUTURE_SKEW,
                  WindowKeys.SENSOR_TTL,
                  Keys.STATE_DIR,
                  Keys.THREADS,
                  Keys.HTTP_PORT,
                  Keys.HTTP_HOST,
                  Keys.LOG_FORMAT,
                  Keys.LOG_LEVEL),
              User.RUN));

  @Override
  public ConfigOptions configOptions() {
    return configOptions;
  }

  @Override
  public Integer call() {
    WeirConfig config = configOptions.load();
    // An invalid rule or gateway stops the start before the first request to Kafka.
    config.status().plan();
    config.signing().permissions();
    HotBoard hot = new HotBoard();
    try (ServiceProcess process =
        ServiceProcess.open(config, Map.of(HotPage.PATH, new HotPage(hot)))) {
      StopSignal.install(process::stop);
      PrometheusMeterRegistry registry = process.registry();
      Meters meters = new Meters(registry, hot);
      process.beforeScrape(meters::refresh);
      process.run(
          () -> WeirApplication.start(config, meters),
          running -> new ApplicationMeters(running, registry));
      return 0;
    }
  }
}
