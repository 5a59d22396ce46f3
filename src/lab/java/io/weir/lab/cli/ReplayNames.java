package io.weir.lab.cli;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** What a replay calls its own topics and application, so that it meets nobody else's. */
record ReplayNames(String prefix) {
  /** Longer than any recording: a window that was evicted could not be amended. */
  private static final String FOR_EVER = "36500d";

  static ReplayNames random() {
    return new ReplayNames("weir-replay-" + UUID.randomUUID().toString().substring(0, 8));
  }

  /** Settings of a replay on a cluster. */
  Map<String, String> settings(String bootstrapServers) {
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers", bootstrapServers);
    settings.put("application.id", prefix);
    settings.put("topic.readings", prefix + ".readings");
    settings.put("topic.windows", prefix + ".windows");
    settings.put("topic.rollups", prefix + ".rollups");
    settings.put("topic.hopping", prefix + ".hopping");
    settings.put("topic.late", prefix + ".late");
    settings.put("topic.dead-letters", prefix + ".dead-letters");
    settings.put("topic.control", prefix + ".control");
    settings.put("allowed.lateness", FOR_EVER);
    settings.put("sensor.ttl", FOR_EVER);
    settings.put("idle.timeout", "500ms");
    return settings;
  }
}
