package io.weir.lab.chaos;

import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicNames;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A program with handlers in a process of its own, on topics of its own. Safe for many threads. */
class HandlersApplication extends Application {
  /** Beside those of the applications, so that each oracle finds its own dead letters. */
  static final TopicNames TOPICS =
      TopicNames.ALL
          .of(User.HANDLER)
          .with(Topic.EVENTS, "chaos.calls")
          .with(Topic.DEAD_LETTERS, "chaos.dead-letters");

  HandlersApplication(int number, ChaosSettings settings, String bootstrapServers, Path dir) {
    super(number, settings, bootstrapServers, dir);
  }

  @Override
  String instanceId() {
    return "handlers-" + number;
  }

  @Override
  List<String> command() {
    return List.of(HandlerProgram.class.getName(), settings.bug().name());
  }

  @Override
  Map<String, String> options() {
    return Map.of(
        "bootstrap.servers", bootstrapServers,
        "instance.id", instanceId(),
        "topic.events", TOPICS.of(Topic.EVENTS),
        "topic.dead-letters", TOPICS.deadLetters(),
        "max.future.skew", millis(ChaosSettings.MAX_FUTURE_SKEW),
        "threads", "2",
        "http.port", "0",
        "state.dir", stateDir().toString());
  }

  /** What is remembered of gateways is remembered for longer than a run takes. */
  @Override
  Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>(keys.required());
    environment.put("WEIR_KAFKA_LOG_LEVEL", "WARN");
    environment.put("KAFKA_SESSION_TIMEOUT_MS", Long.toString(settings.session().toMillis()));
    return environment;
  }
}
