package io.weir.lab.bench;

import io.weir.edge.PublisherSettings;
import io.weir.internal.app.EventKeys;
import io.weir.internal.app.Key;
import io.weir.internal.app.Keys;
import io.weir.internal.app.OutputKeys;
import io.weir.internal.app.SigningKeys;
import io.weir.internal.app.TopicKeys;
import io.weir.internal.app.WindowKeys;
import io.weir.topic.Topic;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** The topics and settings of one run. */
public final class RunTopics {
  private RunTopics() {}

  /** The run's own topics beside the readings that it is given. */
  public static TopicNames of(String run, String readings) {
    return new TopicNames(readings, run + ".windows", run + ".late", run + ".dead-letters");
  }

  /** Makes a topic of readings for a run that writes; returns its name. */
  static String createFor(Task task) {
    TopicNames names = of(task.run(), task.run() + ".readings");
    try (Admin admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, task.bootstrapServers()))) {
      new TopicAdmin(admin, names).createMissing();
    }
    return names.readings();
  }

  /** A gateway that publishes to a topic. */
  static PublisherSettings.Builder gateway(Task task, String topic) {
    return PublisherSettings.builder("bench-gateway")
        .bootstrapServers(task.bootstrapServers())
        .topic(topic);
  }

  /** Weir's settings where they are no default. */
  static Map<String, String> options(Task task, TopicNames names, Path stateDir) {
    Map<String, String> options = new HashMap<>();
    put(options, Keys.BOOTSTRAP_SERVERS, task.bootstrapServers());
    put(options, Keys.APPLICATION_ID, task.run());
    put(options, TopicKeys.name(Topic.READINGS), names.readings());
    put(options, TopicKeys.name(Topic.WINDOWS), names.windows());
    put(options, TopicKeys.name(Topic.LATE), names.late());
    put(options, TopicKeys.name(Topic.DEAD_LETTERS), names.deadLetters());
    put(options, Keys.STATE_DIR, stateDir.toString());
    put(options, Keys.THREADS, Integer.toString(task.threads()));
    String rollups = task.subject().rollups();
    if (!rollups.isEmpty()) {
      put(options, WindowKeys.ROLLUPS, rollups);
      put(options, TopicKeys.name(Topic.ROLLUPS), task.run() + ".rollups");
    }
    if (task.subject() == Subject.WEIR_LATEST) {
      put(options, OutputKeys.LATEST, "protobuf");
      put(options, TopicKeys.name(Topic.LATEST), task.run() + ".latest");
    }
    if (task.subject() == Subject.WEIR_STATUS) {
      put(options, EventKeys.STATUS, "true");
      put(options, EventKeys.EVENTS, "true");
      put(options, EventKeys.RULES_FILE, BenchRules.writeTo(stateDir).toString());
      put(options, TopicKeys.name(Topic.STATUS), task.run() + ".status");
      put(options, TopicKeys.name(Topic.EVENTS), task.run() + ".events");
      put(options, TopicKeys.name(Topic.SCHEDULED), task.run() + ".scheduled");
    }
    if (task.subject() == Subject.WEIR_SIGNED) {
      put(options, SigningKeys.SIGNING, "require");
      put(options, SigningKeys.KEYS_FILE, BenchKeys.writeTo(stateDir).toString());
    }
    if (task.perSecond() > 0 || task.kept().isPresent()) {
      put(options, Keys.INSTANCE_ID, task.run()); // It comes back.
    }
    if (task.keptWindows() > 0) {
      Duration size = WindowKeys.WINDOW_SIZE.defaultValue().orElseThrow();
      put(
          options,
          WindowKeys.ALLOWED_LATENESS,
          size.multipliedBy(task.keptWindows()).toMillis() + "ms");
    }
    return options;
  }

  private static void put(Map<String, String> options, Key<?> key, String value) {
    options.put(key.name(), value);
  }

  /** What the environment says for Kafka's clients. */
  static Map<String, String> kafkaVariables() {
    Map<String, String> variables = new HashMap<>(System.getenv());
    variables.keySet().removeIf(name -> !name.startsWith("KAFKA_"));
    return variables;
  }
}
