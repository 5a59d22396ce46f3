package io.weir.lab.chaos;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code weir collect} in a process of its own. Safe for many threads. */
final class CollectorApplication extends Application {
  /** As whom all of them send. */
  static final String GATEWAY = "outbox";

  private static final String ACTIVE = "collecting as gateway ";

  private final String jdbcUrl;
  private volatile long activeNanos = Long.MIN_VALUE;

  CollectorApplication(
      int number, ChaosSettings settings, String bootstrapServers, String jdbcUrl, Path dir) {
    super(number, settings, bootstrapServers, dir);
    this.jdbcUrl = jdbcUrl;
  }

  @Override
  String instanceId() {
    return "collector-" + number;
  }

  @Override
  List<String> command() {
    return List.of(WEIR, "collect");
  }

  @Override
  Map<String, String> options() {
    return Map.of(
        "events",
        Boolean.toString(settings.events() > 0),
        "bootstrap-servers",
        bootstrapServers,
        "gateway-id",
        GATEWAY,
        "collect-jdbc-url",
        jdbcUrl,
        "collect-batch-timeout",
        "100ms",
        "collect-batch-limit",
        "200",
        "collect-poll-interval",
        "1s",
        "http-port",
        "0");
  }

  @Override
  Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>(keys.gateway(GATEWAY));
    environment.put("WEIR_KAFKA_LOG_LEVEL", "WARN");
    return environment;
  }

  @Override
  void hear(String line) {
    if (line.contains(ACTIVE)) {
      activeNanos = System.nanoTime();
    }
  }

  /** When it said last that it collects, by the monotonic clock. */
  long activeNanos() {
    return activeNanos;
  }
}
