package io.weir.lab.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The processes that hostile bytes reach, with all that can be switched on. Stateless. */
final class HostileVictims {
  private static final String RULES =
      """
      rules:
        - {name: hot, sensors: "*", high: 1000, high-high: 50000, deadband: 900, priority: 0}
        - {name: odd, sensors: "*", deviation: {of: mean, baseline: 40s, sigmas: 1}}
        - {name: quiet, sensors: "*", silent-after: 4s}
      """;

  /** Sensors and gateways that the heap has room for in the partitions that are attacked. */
  private static final Map<String, String> CAPS =
      Map.of(
          "WEIR_MAX_SENSORS", "4000",
          "WEIR_MAX_SENSORS_PER_GATEWAY", "2000",
          "WEIR_MAX_GATEWAYS", "200");

  private static final Map<String, String> WINDOWS =
      Map.of(
          "WEIR_WINDOW_SIZE", "500ms",
          "WEIR_WINDOW_GRACE", "0ms",
          "WEIR_ALLOWED_LATENESS", "2s",
          "WEIR_IDLE_TIMEOUT", "2s",
          "WEIR_STATUS", "true",
          "WEIR_SILENT_AFTER", "5s",
          "WEIR_ROLLUPS", "1s",
          "WEIR_HOPPING", "2s");

  private static final Map<String, String> EVENTS =
      Map.of(
          "WEIR_EVENTS", "true",
          "WEIR_FOLD", "true",
          "WEIR_FOLD_QUIET", "300ms",
          "WEIR_FOLD_MAX_HOLD", "2s",
          "WEIR_GROUPS", "true",
          "WEIR_GROUPS_SIZE", "500ms",
          "WEIR_GROUPS_QUIET", "300ms",
          "WEIR_GROUPS_HOLD", "2s",
          "WEIR_GROUPS_KEEP", "10s");

  private HostileVictims() {}

  /** Whoever takes what the neighbour writes to its standard input. */
  static Victim edge(String bootstrapServers, Path dir) {
    return new Victim(
        "edge",
        "192m",
        List.of("edge", "--gateway-id", "neighbour", "--format", "json", "-"),
        with(bootstrapServers, Map.of("WEIR_EDGE_HTTP_PORT", "0")),
        dir.resolve("edge.log"));
  }

  /** Whoever takes requests from the neighbour and from the hostile sender. */
  static Victim httpEdge(String bootstrapServers, Path dir, int port) {
    return new Victim(
        "edge --listen",
        "192m",
        List.of("edge", "--gateway-id", "http", "--listen", "127.0.0.1:" + port),
        with(
            bootstrapServers,
            Map.of(
                "WEIR_EDGE_HTTP_PORT",
                "0",
                "WEIR_SPOOL_DIR",
                dir.resolve("http-spool").toString(),
                "WEIR_EDGE_CLIENTS_FILE",
                write(dir.resolve("clients.yaml"), HostileHttp.clients()),
                // It writes to all partitions: the applications have room for these.
                "WEIR_MAX_SENSORS_PER_GATEWAY",
                "100")),
        dir.resolve("http-edge.log"));
  }

  /** Whoever subscribes at the brokers of MQTT and Sparkplug. */
  static Victim mqttEdge(String bootstrapServers, Path dir, HostileMqtt mqtt) {
    return new Victim(
        "edge --mqtt",
        "192m",
        List.of(
            "edge",
            "--gateway-id",
            "mqtt",
            "--mqtt",
            mqtt.url(),
            "--sparkplug",
            mqtt.sparkplugUrl()),
        with(
            bootstrapServers,
            Map.of(
                "WEIR_EDGE_HTTP_PORT",
                "0",
                "WEIR_SPOOL_DIR",
                dir.resolve("mqtt-spool").toString(),
                "WEIR_MQTT_TOPICS",
                "hostile/#,neighbour/#",
                // It writes to all partitions: the applications have room for these.
                "WEIR_MAX_SENSORS_PER_GATEWAY",
                "100")),
        dir.resolve("mqtt-edge.log"));
  }

  /** Those of Streams. */
  static List<Victim> applications(String bootstrapServers, Path dir) {
    return List.of(
        new Victim(
            "run",
            "256m",
            List.of("run"),
            with(
                bootstrapServers,
                WINDOWS,
                EVENTS,
                CAPS,
                Map.of(
                    "WEIR_INSTANCE_ID",
                    "run-0",
                    "WEIR_STATISTICS",
                    "first_last,variance,histogram,quality,integral,counter,sum_rest",
                    "WEIR_SAMPLES_PARTITION_MAX",
                    "500000",
                    "WEIR_RULES_FILE",
                    write(dir.resolve("rules.yaml"), RULES),
                    "WEIR_SIGNING",
                    "verify",
                    "WEIR_SIGNING_KEYS_FILE",
                    write(dir.resolve("masters.properties"), masters()),
                    "WEIR_STATE_DIR",
                    dir.resolve("run-state").toString())),
            dir.resolve("run.log")),
        new Victim(
            "events",
            "256m",
            List.of("events"),
            with(
                bootstrapServers,
                WINDOWS,
                EVENTS,
                CAPS,
                Map.of(
                    "WEIR_INSTANCE_ID", "events-0",
                    "WEIR_FOLD_MAX_BYTES", Integer.toString(4 << 20),
                    "WEIR_GROUPS_MAX_BYTES", Integer.toString(4 << 20),
                    "WEIR_STATE_DIR", dir.resolve("events-state").toString())),
            dir.resolve("events.log")));
  }

  /**
   * Those that read on, until they are ended, and in whose way nobody stands.
   *
   * @param source a topic of another program, for an import
   */
  static List<Victim> readers(
      String bootstrapServers, Path dir, HostileServe serve, String source) {
    List<Victim> readers = new ArrayList<>();
    readers.add(
        new Victim(
            "serve",
            "256m",
            List.of("serve"),
            with(
                bootstrapServers,
                WINDOWS,
                EVENTS,
                Map.of(
                    "WEIR_SERVE_LISTEN",
                    serve.address(),
                    "WEIR_SERVE_MEMORY",
                    Integer.toString(64 << 20))),
            dir.resolve("serve.log")));
    readers.add(
        new Victim(
            "import",
            "192m",
            List.of(
                "import",
                source,
                "--name",
                "hostile",
                "--sensor-id",
                "hostile/import",
                "--json-value",
                "$.*",
                "--time",
                "record"),
            with(bootstrapServers, Map.of()),
            dir.resolve("import.log")));
    for (String topic : List.of("readings", "events", "dead-letters")) {
      readers.add(
          new Victim(
              "tail " + topic,
              "128m",
              List.of("tail", topic),
              with(bootstrapServers, Map.of()),
              Path.of("/dev/null")));
    }
    return readers;
  }

  /** Those of the database. */
  static List<Victim> ofDatabase(String bootstrapServers, Path dir, HostileOutbox outbox) {
    return List.of(
        new Victim(
            "sink",
            "192m",
            List.of("sink"),
            with(
                bootstrapServers,
                WINDOWS,
                EVENTS,
                Map.of(
                    "WEIR_SINK_JDBC_URL", outbox.jdbcUrl(), "WEIR_SINK_FLUSH_INTERVAL", "200ms")),
            dir.resolve("sink.log")),
        new Victim(
            "collect",
            "192m",
            List.of("collect"),
            with(
                bootstrapServers,
                EVENTS,
                Map.of(
                    "WEIR_GATEWAY_ID", "outbox",
                    "WEIR_COLLECT_JDBC_URL", outbox.jdbcUrl(),
                    "WEIR_COLLECT_POLL_INTERVAL", "200ms")),
            dir.resolve("collect.log")));
  }

  /** Which looks at everything once, and ends. */
  static Victim doctor(String bootstrapServers, Path dir) {
    return new Victim(
        "doctor",
        "128m",
        List.of("doctor", "--wait", "1s"),
        with(bootstrapServers, WINDOWS, EVENTS),
        dir.resolve("doctor.log"));
  }

  @SafeVarargs
  private static Map<String, String> with(
      String bootstrapServers, Map<String, String>... environments) {
    Map<String, String> environment =
        new HashMap<>(
            Map.of(
                "WEIR_BOOTSTRAP_SERVERS", bootstrapServers,
                "WEIR_KAFKA_LOG_LEVEL", "WARN",
                "WEIR_HTTP_PORT", "0",
                "WEIR_HTTP_HOST", "127.0.0.1",
                "WEIR_THREADS", "2",
                "KAFKA_SESSION_TIMEOUT_MS", "6000"));
    for (Map<String, String> each : environments) {
      environment.putAll(each);
    }
    return environment;
  }

  private static String masters() {
    return "2026.secret=" + Base64.getEncoder().encodeToString(new byte[32]) + "\n";
  }

  private static String write(Path file, String text) {
    try {
      return Files.writeString(file, text).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
