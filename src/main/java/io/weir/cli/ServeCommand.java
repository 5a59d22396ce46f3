package io.weir.cli;

import io.weir.cli.doctor.DoctorVisit;
import io.weir.internal.app.EventKeys;
import io.weir.internal.app.Keys;
import io.weir.internal.app.ServeKeys;
import io.weir.internal.app.TopicKeys;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.app.WindowKeys;
import io.weir.internal.ops.ServiceProcess;
import io.weir.internal.serve.Serve;
import io.weir.internal.serve.ServeMeters;
import io.weir.topic.Topic;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.InterruptException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir serve}: a page and its API over the topics. */
@Command(
    name = "serve",
    description =
        "Show sensors, alarms and refused readings in a browser; answer questions as JSON.",
    footer = {
      "",
      "Reads the topics of windows, rollups, status, groups, late and refused readings, without",
      "a consumer group, into bounded memory, and changes nothing. The page is at",
      "http://127.0.0.1:8088, its API below /api/v1. Other machines need a token: see",
      "weir.serve.clients.file. On --http-port: /livez, /readyz, /metrics, /info.",
      "Exit status: 0 stopped by a signal, 1 failed, 2 a setting is wrong.",
      "",
      "Examples:",
      "  weir serve",
      "  weir serve --bootstrap-servers kafka-0:9092 --doctor-url http://weir:8080",
      "  curl 'http://127.0.0.1:8088/api/v1/sensors?prefix=boiler-3/'"
    })
final class ServeCommand implements Callable<Integer>, ConfigOptions.Configured {
  private static final long BETWEEN_MS = 10_000;

  private final ConfigOptions configOptions =
      new ConfigOptions(
          TopicKeys.with(
              List.of(
                  Keys.BOOTSTRAP_SERVERS,
                  Keys.APPLICATION_ID,
                  ServeKeys.LISTEN,
                  ServeKeys.CLIENTS_FILE,
                  ServeKeys.MEMORY,
                  ServeKeys.START_BYTES,
                  ServeKeys.SCAN_BYTES,
                  ServeKeys.MAX_STREAMS,
                  WindowKeys.WINDOW_SIZE,
                  WindowKeys.WINDOW_GRACE,
                  WindowKeys.ALLOWED_LATENESS,
                  WindowKeys.IDLE_TIMEOUT,
                  WindowKeys.MAX_FUTURE_SKEW,
                  WindowKeys.ROLLUPS,
                  WindowKeys.HOPPING,
                  EventKeys.STATUS,
                  EventKeys.GROUP,
                  EventKeys.EVENTS,
                  EventKeys.GROUPS,
                  Keys.HTTP_PORT,
                  Keys.HTTP_HOST,
                  Keys.LOG_FORMAT,
                  Keys.LOG_LEVEL),
              Topic.values()));

  @Option(
      names = "--doctor-url",
      paramLabel = "URL",
      split = ",",
      description = "HTTP addresses of processes that the findings are about, as of weir doctor.")
  private List<String> urls = List.of();

  @Override
  public ConfigOptions configOptions() {
    return configOptions;
  }

  @Override
  public Integer call() {
    WeirConfig config = configOptions.load();
    config.serve().requireSafe();
    try (ServiceProcess process = ServiceProcess.open(config)) {
      StopSignal.install(process::stop);
      process.run(
          () -> Serve.start(config, process.registry(), () -> findings(config, urls)),
          serve -> new ServeMeters(serve, process.registry()));
      return 0;
    }
  }

  static String findings(WeirConfig config, List<String> urls) {
    try (Admin admin = Connections.admin(config.kafka())) {
      return DoctorVisit.make(
              admin, config, ServeCommand::pause, () -> Connections.reader(config), urls)
          .json();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(BETWEEN_MS);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }
}
