package io.weir.internal.app;

import io.weir.internal.redrive.Redrive;
import io.weir.internal.topology.EventTopology;
import io.weir.internal.topology.WeirTopology;
import io.weir.topic.OwnTopics;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicListing;
import io.weir.topic.TopicNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * A right that a user needs on a cluster with an authorizer. The lists here are minimal: each right
 * is needed, and no more are. In Kafka, READ and WRITE imply DESCRIBE.
 *
 * @param pattern whether the name is literal or a prefix
 */
public record Acl(ResourceType resource, PatternType pattern, String name, AclOperation operation) {
  /** On a topic that a program creates, writes and reads. */
  private static final List<AclOperation> OWN_TOPIC =
      List.of(
          AclOperation.CREATE,
          AclOperation.DESCRIBE_CONFIGS,
          AclOperation.READ,
          AclOperation.WRITE);

  private static final List<AclOperation> OBSERVED_TOPIC =
      List.of(AclOperation.READ, AclOperation.DESCRIBE_CONFIGS);
  private static final List<AclOperation> VERIFIED_TOPIC =
      List.of(AclOperation.CREATE, AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS);

  /** The right as a command, or as a resource of another tool. */
  public String text(TopicListing form, String user, String bootstrapServers) {
    String type = words(resource.name());
    String does = words(operation.name());
    String kind = words(pattern.name());
    return switch (form) {
      case KAFKA ->
          "kafka-acls.sh --bootstrap-server %s --add --allow-principal User:%s --operation %s --%s %s%s"
              .formatted(
                  bootstrapServers,
                  user,
                  does,
                  resource.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                  name,
                  pattern == PatternType.LITERAL ? "" : " --resource-pattern-type prefixed");
      case TERRAFORM ->
          """
          resource "kafka_acl" "%s" {
            acl_principal                = "User:%s"
            acl_host                     = "*"
            acl_permission_type          = "Allow"
            acl_operation                = "%s"
            resource_type                = "%s"
            resource_name                = "%s"
            resource_pattern_type_filter = "%s"
          }"""
              .formatted(
                  (user + " " + does + " " + type + " " + name).replaceAll("[^A-Za-z0-9-]", "_"),
                  user,
                  does,
                  type.replace("Id", "ID"),
                  name,
                  kind);
      case STRIMZI ->
          "      - resource: {type: %s, name: %s, patternType: %s}\n        operations: [%s]"
              .formatted(
                  Character.toLowerCase(type.charAt(0)) + type.substring(1),
                  name,
                  pattern == PatternType.LITERAL ? "literal" : "prefix",
                  does);
    };
  }

  /** In the spelling of Kafka's tools: DescribeConfigs. */
  private static String words(String constant) {
    return Stream.of(constant.split("_"))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }

  /** The rights that {@code weir run} needs. */
  public static List<Acl> ofRun(String applicationId, TopicNames topics) {
    return Stream.concat(
            ofUser(User.RUN, topics, AclOperation.DESCRIBE_CONFIGS),
            ofStreams(applicationId, List.of(WeirTopology.STORE)))
        .toList();
  }

  /**
   * The rights that {@code weir events} needs.
   *
   * @param topics the summary topics from which groups are computed
   */
  public static List<Acl> ofEvents(String applicationId, TopicNames topics) {
    return Stream.concat(
            ofUser(User.EVENTS, topics, AclOperation.DESCRIBE_CONFIGS),
            ofStreams(applicationId, EventTopology.STORES))
        .toList();
  }

  /**
   * The rights that a program with handlers needs.
   *
   * @param topics its input, and the dead letters
   * @param outputs the topics that its handlers emit to
   */
  public static List<Acl> ofHandlers(
      String applicationId, TopicNames topics, String store, List<String> outputs) {
    Stream<Acl> emits =
        outputs.stream()
            .flatMap(
                topic ->
                    onTopic(topic, List.of(AclOperation.WRITE, AclOperation.DESCRIBE_CONFIGS)));
    return Stream.of(
            ofUser(User.HANDLER, topics, AclOperation.DESCRIBE_CONFIGS),
            emits,
            ofStreams(applicationId, List.of(store)))
        .flatMap(rights -> rights)
        .toList();
  }

  /** The rights that every application of Kafka Streams needs. */
  private static Stream<Acl> ofStreams(String applicationId, List<String> stores) {
    return ofApplication(applicationId, stores, AclOperation.WRITE, OWN_TOPIC);
  }

  /** To see the state of an application, and to remove members from its group. */
  private static Stream<Acl> ofObserved(String applicationId, List<String> stores) {
    return ofApplication(applicationId, stores, AclOperation.DESCRIBE, OBSERVED_TOPIC);
  }

  private static Stream<Acl> ofApplication(
      String id, List<String> stores, AclOperation transactions, List<AclOperation> changelogs) {
    return Stream.concat(
        stores.stream()
            .map(store -> StreamsInput.changelog(id, store))
            .flatMap(topic -> onTopic(topic, changelogs)),
        Stream.of(
            onGroup(id, AclOperation.READ),
            new Acl(ResourceType.TRANSACTIONAL_ID, PatternType.PREFIXED, id + "-", transactions)));
  }

  /** The rights that a program that publishes events needs: {@code weir send}. */
  public static List<Acl> ofPublisher(TopicNames topics) {
    return ofUser(User.PUBLISHER, topics).toList();
  }

  /** The rights from the topics' declarations, and additional ones. */
  private static Stream<Acl> ofUser(User user, TopicNames topics, AclOperation... beside) {
    return topics.of(user).topics().stream()
        .flatMap(
            topic ->
                Stream.of(
                        topic.isReadBy(user)
                            ? Stream.of(AclOperation.READ)
                            : Stream.<AclOperation>of(),
                        topic.isWrittenBy(user)
                            ? Stream.of(AclOperation.WRITE)
                            : Stream.<AclOperation>of(),
                        Stream.of(beside))
                    .flatMap(operations -> operations)
                    .map(operation -> onTopic(topics.of(topic), operation)));
  }

  /** An optional right of {@code weir run}: to name the producer that blocks its output. */
  public static List<Acl> ofNamingProducers(TopicNames topics) {
    return topics.outputs().stream().map(topic -> onTopic(topic, AclOperation.READ)).toList();
  }

  /** The rights that a gateway needs. */
  public static List<Acl> ofEdge(TopicNames topics) {
    return ofUser(User.GATEWAY, topics).toList();
  }

  /** An optional right of a gateway: to read its dead letters. */
  public static List<Acl> ofNoticingRefusals(TopicNames topics) {
    return List.of(onTopic(topics.deadLetters(), AclOperation.READ));
  }

  /**
   * The rights that {@code weir topics} needs, to create missing topics and to verify the others.
   */
  public static List<Acl> ofTopics(TopicNames topics, OwnTopics own) {
    return Stream.concat(topics.all().stream(), own.all().stream())
        .flatMap(topic -> onTopic(topic, VERIFIED_TOPIC))
        .toList();
  }

  /**
   * The rights that {@code weir gateway reset} needs: no other user may write to the control topic.
   */
  public static List<Acl> ofGatewayReset(TopicNames topics) {
    return ofUser(User.OPERATOR, topics).toList();
  }

  /** The rights that {@code weir accept-loss} needs for an application with a store. */
  public static List<Acl> ofAcceptLoss(
      String applicationId, String topic, String store, TopicNames topics) {
    List<Acl> acls = new ArrayList<>();
    acls.add(onTopic(topics.control(), AclOperation.WRITE));
    acls.add(onTopic(topic, AclOperation.READ));
    if (topic.equals(topics.readings())) {
      acls.add(onTopic(topic, AclOperation.WRITE));
      acls.add(onTopic(topics.windows(), AclOperation.READ));
    }
    acls.add(onTopic(StreamsInput.changelog(applicationId, store), AclOperation.READ));
    acls.add(onGroup(applicationId, AclOperation.DESCRIBE));
    return acls;
  }

  /**
   * The rights of an operator, with which each command of the runbook works: those of {@code weir
   * tail} of every topic, {@code doctor}, {@code topics --verify}, {@code evict}, {@code redrive},
   * {@code gateway reset} and {@code accept-loss}.
   *
   * @param eventsId the application id of {@code weir events}; empty if it is disabled
   */
  public static List<Acl> ofOperator(
      String applicationId, Optional<String> eventsId, TopicNames topics) {
    Stream<Acl> read = topics.all().stream().flatMap(topic -> onTopic(topic, OBSERVED_TOPIC));
    Stream<Acl> redrive =
        Stream.of(Topic.LATE, Topic.DEAD_LETTERS)
            .flatMap(topic -> ofRedrive(topic, topics).stream());
    Stream<Acl> applications =
        Stream.concat(
            ofObserved(applicationId, List.of(WeirTopology.STORE)),
            eventsId.stream().flatMap(id -> ofObserved(id, EventTopology.STORES)));
    return Stream.of(read, ofGatewayReset(topics).stream(), redrive, applications)
        .flatMap(each -> each)
        .distinct()
        .toList();
  }

  /**
   * The rights that {@code weir redrive} of a topic needs; it creates the topic with its marks. It
   * looks for copies on the readings, and at what the application has committed.
   */
  public static List<Acl> ofRedrive(String applicationId, Topic records, TopicNames topics) {
    return Stream.concat(
            ofRedrive(records, topics).stream(),
            Stream.of(onGroup(applicationId, AclOperation.DESCRIBE)))
        .toList();
  }

  private static List<Acl> ofRedrive(Topic records, TopicNames topics) {
    String name = topics.of(records);
    Stream<Acl> others =
        Stream.concat(
            onTopic(TopicNames.redriven(name), OWN_TOPIC),
            Stream.of(
                new Acl(
                    ResourceType.TRANSACTIONAL_ID,
                    PatternType.LITERAL,
                    Redrive.transactionalId(name),
                    AclOperation.WRITE)));
    return Stream.of(
            ofUser(User.REDRIVE, topics.ofRedrive(records), AclOperation.DESCRIBE_CONFIGS),
            Stream.of(onTopic(topics.readings(), AclOperation.READ)),
            others)
        .flatMap(each -> each)
        .toList();
  }

  /** The rights that {@code weir sink} needs: to read its topics, with a consumer group. */
  public static List<Acl> ofSink(String group, List<String> topics) {
    return Stream.concat(
            topics.stream().map(topic -> onTopic(topic, AclOperation.READ)),
            Stream.of(onGroup(group, AclOperation.READ)))
        .toList();
  }

  /** The rights that {@code weir serve} needs: to read topics, without a group. */
  public static List<Acl> ofServe(List<String> topics) {
    return topics.stream().map(topic -> onTopic(topic, AclOperation.READ)).toList();
  }

  /** The further rights of {@code weir explain}, also where {@code weir serve} answers it. */
  public static List<Acl> ofExplain(String applicationId, TopicNames topics) {
    return List.of(
        onTopic(topics.readings(), AclOperation.READ),
        onTopic(topics.control(), AclOperation.READ),
        onGroup(applicationId, AclOperation.DESCRIBE));
  }

  /** The rights that {@code weir collect} needs: to write readings, and events if enabled. */
  public static List<Acl> ofCollect(TopicNames topics) {
    return Stream.concat(ofUser(User.GATEWAY, topics), ofUser(User.PUBLISHER, topics)).toList();
  }

  /** The rights that {@code weir collect --rebase} needs: to read the topics that it writes. */
  public static List<Acl> ofRebase(TopicNames topics) {
    return ofCollect(topics).stream()
        .map(right -> onTopic(right.name(), AclOperation.READ))
        .toList();
  }

  /**
   * The rights that {@code weir import} needs.
   *
   * @param group its consumer group
   * @param sources topics of other programs
   * @param progress the topic with its progress
   */
  public static List<Acl> ofImport(
      String group, Collection<String> sources, String progress, TopicNames topics) {
    return Stream.of(
            sources.stream().map(topic -> onTopic(topic, AclOperation.READ)),
            ofUser(User.IMPORT, topics),
            Stream.of(topics.readings(), topics.deadLetters())
                .map(topic -> onTopic(topic, AclOperation.DESCRIBE_CONFIGS)),
            onTopic(progress, List.of(AclOperation.CREATE, AclOperation.READ, AclOperation.WRITE)),
            Stream.of(
                onGroup(group, AclOperation.READ),
                new Acl(
                    ResourceType.TRANSACTIONAL_ID,
                    PatternType.PREFIXED,
                    group + "-",
                    AclOperation.WRITE)))
        .flatMap(rights -> rights)
        .toList();
  }

  /** The rights that {@code weir tail} of a topic needs. */
  public static List<Acl> ofTail(String topic) {
    return List.of(onTopic(topic, AclOperation.READ));
  }

  private static Stream<Acl> onTopic(String topic, List<AclOperation> operations) {
    return operations.stream().map(operation -> onTopic(topic, operation));
  }

  private static Acl onTopic(String topic, AclOperation operation) {
    return new Acl(ResourceType.TOPIC, PatternType.LITERAL, topic, operation);
  }

  private static Acl onGroup(String group, AclOperation operation) {
    return new Acl(ResourceType.GROUP, PatternType.LITERAL, group, operation);
  }
}
