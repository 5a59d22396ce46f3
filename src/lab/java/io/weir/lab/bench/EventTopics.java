package io.weir.lab.bench;

import io.weir.internal.app.EventKeys;
import io.weir.internal.app.Key;
import io.weir.internal.app.Keys;
import io.weir.internal.app.TopicKeys;
import io.weir.topic.Topic;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/** The topics and settings of one run of events. */
final class EventTopics {
  private static final Topic[] TOPICS = {
    Topic.CONTROL, Topic.DEAD_LETTERS, Topic.EVENTS, Topic.SCHEDULED, Topic.FOLDED
  };

  private EventTopics() {}

  /** The run's own topics. */
  static TopicNames of(String run) {
    Map<Topic, String> names = new EnumMap<>(Topic.class);
    for (Topic topic : TOPICS) {
      names.put(topic, run + "." + topic.text());
    }
    return new TopicNames(names);
  }

  static TopicNames createFor(String run, Admin admin) {
    TopicNames names = of(run);
    new TopicAdmin(admin, names).createMissing();
    return names;
  }

  /** Settings of {@code weir events} where they are no default. */
  static Map<String, String> options(Task task, Path stateDir) {
    Map<String, String> options = new HashMap<>();
    put(options, Keys.BOOTSTRAP_SERVERS, task.bootstrapServers());
    put(options, EventKeys.EVENTS_APPLICATION_ID, task.run());
    put(options, EventKeys.EVENTS, "true");
    put(options, EventKeys.FOLD, Boolean.toString(task.subject() == Subject.FOLDS));
    of(task.run()).byTopic().forEach((topic, name) -> put(options, TopicKeys.name(topic), name));
    put(options, Keys.STATE_DIR, stateDir.toString());
    put(options, Keys.THREADS, Integer.toString(task.threads()));
    return options;
  }

  private static void put(Map<String, String> options, Key<?> key, String value) {
    options.put(key.name(), value);
  }
}
