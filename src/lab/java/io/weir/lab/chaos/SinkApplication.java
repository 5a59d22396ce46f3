package io.weir.lab.chaos;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code weir sink} in a process of its own; every second one is a static member of its group. Safe
 * for many threads.
 */
class SinkApplication extends Application {
  private final String jdbcUrl;

  SinkApplication(
      int number, ChaosSettings settings, String bootstrapServers, String jdbcUrl, Path dir) {
    super(number, settings, bootstrapServers, dir);
    this.jdbcUrl = jdbcUrl;
  }

  @Override
  String instanceId() {
    return "sink-" + number;
  }

  @Override
  List<String> command() {
    return List.of(WEIR, "sink");
  }

  @Override
  Map<String, String> options() {
    String events = Boolean.toString(settings.events() > 0);
    Map<String, String> options =
        new HashMap<>(
            Map.of(
                "bootstrap-servers", bootstrapServers,
                "application-id", APPLICATION_ID,
                "sink-jdbc-url", jdbcUrl,
                "rollups", ChaosSettings.rollups(),
                "hopping", millis(ChaosSettings.HOPPING),
                "status", "true",
                "events", events,
                "fold", events,
                "groups", events,
                "http-port", "0"));
    if (number % 2 == 0) {
      options.put("instance-id", instanceId());
    }
    return options;
  }

  @Override
  Map<String, String> environment() {
    return Map.of(
        "WEIR_WINDOW_SIZE",
        millis(ChaosSettings.WINDOW_SIZE),
        "WEIR_SINK_FLUSH_INTERVAL",
        "200ms",
        "WEIR_SINK_BATCH_ROWS",
        "1000",
        "WEIR_KAFKA_LOG_LEVEL",
        "WARN",
        "KAFKA_SESSION_TIMEOUT_MS",
        Long.toString(settings.session().toMillis()));
  }
}
