package io.weir.lab.chaos;

import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicNames;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A process with the two applications of {@link RelayProgram}: one sends events to the keys of the
 * other. They read the events of all. Safe for many threads.
 */
final class RelayApplication extends HandlersApplication {
  /** Their dead letters are on a topic of their own, so that each oracle finds its own. */
  static final TopicNames TOPICS =
      TopicNames.ALL.of(User.HANDLER).with(Topic.DEAD_LETTERS, "chaos.relay-dead-letters");

  RelayApplication(int number, ChaosSettings settings, String bootstrapServers, Path dir) {
    super(number, settings, bootstrapServers, dir);
  }

  @Override
  String instanceId() {
    return "relay-" + number;
  }

  @Override
  List<String> command() {
    return List.of(RelayProgram.class.getName(), settings.bug().name());
  }

  @Override
  Map<String, String> options() {
    return Map.of(
        "bootstrap.servers", bootstrapServers,
        "instance.id", instanceId(),
        "topic.dead-letters", TOPICS.deadLetters(),
        "max.future.skew", millis(ChaosSettings.MAX_FUTURE_SKEW),
        "threads", "1",
        "state.dir", stateDir().toString());
  }
}
