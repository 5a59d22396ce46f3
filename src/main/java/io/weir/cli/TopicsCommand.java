package io.weir.cli;

import io.weir.app.EventKeys;
import io.weir.app.Keys;
import io.weir.app.OutputKeys;
import io.weir.app.RegistryKeys;
import io.weir.app.TopicKeys;
import io.weir.app.TopicSchemas;
import io.weir.app.WeirConfig;
import io.weir.app.WindowKeys;
import io.weir.cli.output.Results;
import io.weir.topic.Topic;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicDifference;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir topics}: creates and verifies the topics. */
@Command(
    name = "topics",
    description = "Create missing topics, register their schemas, verify all settings.",
    footer = {
      "",
      "Prints a line for each topic: its name, a tab, and created, ok, differs or unusable.",
      "With a schema registry also one for each subject: its name, a tab, and the id of its",
      "schema, or none. Prints each difference with a remedy on standard error. Exit status 1",
      "if a topic is unusable or a subject has no schema; 0 if topics merely differ.",
      "",
      "Examples:",
      "  weir topics",
      "  weir topics --rollups 1m,1h --events true --fold true --groups true",
      "  weir topics --verify --bootstrap-servers kafka-0:9092,kafka-1:9092"
    })
final class TopicsCommand extends ClusterCommand {
  @Option(names = "--verify", description = "Create and register nothing.")
  private boolean verifyOnly;

  TopicsCommand() {
    super(
        TopicKeys.with(
            List.of(
                Keys.BOOTSTRAP_SERVERS,
                RegistryKeys.SCHEMA_REGISTRY_URL,
                WindowKeys.ROLLUPS,
                WindowKeys.HOPPING,
                OutputKeys.LATEST,
                OutputKeys.LATEST_OF,
                EventKeys.STATUS,
                EventKeys.EVENTS,
                EventKeys.FOLD,
                EventKeys.GROUPS),
            Topic.values()));
  }

  @Override
  int run(WeirConfig config) {
    try (Admin admin = Connections.admin(config.kafka())) {
      TopicAdmin topics = new TopicAdmin(admin, config.topics(), config.topicOptions());
      List<String> created = verifyOnly ? List.of() : topics.createMissing();
      List<TopicDifference> differences = topics.verify();
      Results out = Results.standard();
      for (String topic : config.topics().all()) {
        out.line(topic + "\t" + state(topic, created, differences));
      }
      out.flush();
      differences.forEach(this::printError);
      boolean usable = differences.stream().noneMatch(TopicDifference::isFatal);
      boolean registered = TopicSchemas.of(config).map(s -> schemas(s, out)).orElse(true);
      return usable && registered ? 0 : Failures.FAILED;
    }
  }

  /** Whether every topic has its schema. */
  private boolean schemas(TopicSchemas schemas, Results out) {
    List<TopicSchemas.State> states = verifyOnly ? schemas.verify() : schemas.register();
    for (TopicSchemas.State state : states) {
      out.line(state.subject() + "\t" + state.id().map(String::valueOf).orElse("none"));
    }
    out.flush();
    states.forEach(state -> state.problem().ifPresent(this::printFatal));
    return states.stream().allMatch(state -> state.id().isPresent());
  }

  private void printFatal(String problem) {
    printError("fatal: " + problem);
  }

  private static String state(
      String topic, List<String> created, List<TopicDifference> differences) {
    List<TopicDifference> ofTopic =
        differences.stream().filter(d -> d.topic().equals(topic)).toList();
    if (ofTopic.stream().anyMatch(TopicDifference::isFatal)) {
      return "unusable";
    }
    if (!ofTopic.isEmpty()) {
      return "differs";
    }
    return created.contains(topic) ? "created" : "ok";
  }

  private void printError(TopicDifference difference) {
    spec()
        .commandLine()
        .getErr()
        .println((difference.isFatal() ? "fatal: " : "warning: ") + difference);
  }
}
