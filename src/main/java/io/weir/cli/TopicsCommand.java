package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.internal.app.Acl;
import io.weir.internal.app.EventKeys;
import io.weir.internal.app.Keys;
import io.weir.internal.app.OutputKeys;
import io.weir.internal.app.ProgramTopics;
import io.weir.internal.app.RegistryKeys;
import io.weir.internal.app.TopicKeys;
import io.weir.internal.app.TopicSchemas;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.app.WindowKeys;
import io.weir.internal.imports.ImportSettings;
import io.weir.topic.OwnTopics;
import io.weir.topic.Replication;
import io.weir.topic.Topic;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicDifference;
import io.weir.topic.TopicListing;
import io.weir.topic.TopicPlan;
import io.weir.topic.TopicSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir topics}: creates and verifies the topics. */
@Command(
    name = "topics",
    description = "Create missing topics, register their schemas, verify all settings.",
    footer = {
      "",
      "Prints a line for each topic: its name, a tab, and created, ok, differs, unknown or unusable.",
      "With a schema registry also one for each subject: its name, a tab, and the id of its",
      "schema, or none. Prints each difference with a remedy on standard error. Exit status 1",
      "if a topic is unusable or a subject has no schema; 0 if topics merely differ. Where the",
      "broker's policy refuses a setting that only saves disk, the topic is created without it.",
      "",
      "Examples:",
      "  weir topics",
      "  weir topics --rollups 1m,1h --events true --fold true --groups true",
      "  weir topics --print terraform --replication-factor 3 > topics.tf",
      "  weir topics --print kafka --import plant=plant.raw",
      "  weir topics --verify --bootstrap-servers kafka-0:9092,kafka-1:9092"
    })
final class TopicsCommand extends ClusterCommand {
  private static final String KAFKA_USER =
      """
      ---
      apiVersion: kafka.strimzi.io/v1
      kind: KafkaUser
      metadata:
        name: %s
        labels:
          strimzi.io/cluster: my-cluster
      spec:
        authentication:
          type: scram-sha-512
        authorization:
          type: simple
          acls:""";

  @Option(names = "--verify", description = "Create and register nothing.")
  private boolean verifyOnly;

  @Option(
      names = "--print",
      paramLabel = "FORM",
      description =
          "Only print the topics, for teams whose users may not create them: ${COMPLETION-CANDIDATES}.")
  private TopicListing listing;

  @Option(
      names = "--import",
      paramLabel = "NAME=TOPIC[,TOPIC]",
      description = "With --print: also the topic with the progress of imports, and their rights.")
  private Map<String, String> imports = Map.of();

  TopicsCommand() {
    super(
        TopicKeys.with(
            List.of(
                Keys.BOOTSTRAP_SERVERS,
                Keys.APPLICATION_ID,
                Keys.REPLICATION_FACTOR,
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
  void checkUsage() {
    if (listing == null && !imports.isEmpty()) {
      throw wrongUsage("--import needs --print");
    }
  }

  @Override
  int run(WeirConfig config) {
    OwnTopics own = ProgramTopics.of(config);
    if (listing != null) {
      return print(config, own);
    }
    try (Admin admin = Connections.admin(config.kafka())) {
      TopicAdmin topics =
          new TopicAdmin(
              admin, config.topics(), config.topicOptions(), line -> printError("note: " + line));
      List<String> created = verifyOnly ? List.of() : topics.createMissing(own);
      List<TopicDifference> differences = topics.verify(own);
      Results out = Results.standard();
      for (String topic :
          Stream.concat(config.topics().all().stream(), own.all().stream()).toList()) {
        out.line(topic + "\t" + state(topic, created, differences));
      }
      out.flush();
      differences.forEach(this::printError);
      boolean usable = differences.stream().noneMatch(TopicDifference::isFatal);
      boolean registered = TopicSchemas.of(config).map(s -> schemas(s, out)).orElse(true);
      return usable && registered ? 0 : Failures.FAILED;
    }
  }

  /** Needs no cluster: with three replicas, unless set. */
  private int print(WeirConfig config, OwnTopics own) {
    int replicas = config.topicOptions().replicationFactor().orElse(3);
    Replication replication = new Replication((short) replicas, true, Replication.SETTING);
    Results out = Results.standard();
    String servers = String.valueOf(config.kafka().forAdmin().get("bootstrap.servers"));
    String progress = config.ofPlant(ImportSettings.PROGRESS);
    List<TopicSettings> topics =
        new ArrayList<>(TopicPlan.of(config.topics(), own, config.topicOptions(), replication));
    if (!imports.isEmpty()) {
      topics.add(TopicPlan.progress(progress, replication));
    }
    out.line(listing.text(topics, servers));
    imports.forEach(
        (name, sources) -> {
          String group = config.ofPlant(ImportSettings.group(name));
          if (listing == TopicListing.STRIMZI) {
            out.line(KAFKA_USER.formatted(group));
          }
          Acl.ofImport(group, List.of(sources.split(",")), progress, config.topics())
              .forEach(right -> out.line(right.text(listing, group, servers)));
        });
    out.flush();
    return 0;
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
    if (ofTopic.stream().anyMatch(TopicDifference::isWithoutSettings)) {
      return "unknown";
    }
    if (!ofTopic.stream().allMatch(TopicDifference::isNote)) {
      return "differs";
    }
    return created.contains(topic) ? "created" : "ok";
  }

  private void printError(TopicDifference difference) {
    spec()
        .commandLine()
        .getErr()
        .println(difference.severity().name().toLowerCase(Locale.ROOT) + ": " + difference);
  }
}
