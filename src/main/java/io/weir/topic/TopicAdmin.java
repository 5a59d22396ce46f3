package io.weir.topic;

import io.weir.topic.Replication.Cluster;
import io.weir.topic.TopicComparison.Role;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.slf4j.LoggerFactory;

/**
 * Weir's topics on a cluster: creates missing topics and compares existing ones with the plan.
 * Every method sends requests, waits up to the client's default.api.timeout.ms, and throws a {@link
 * KafkaException} without a response. Thread-safe; the caller closes the {@link Admin}.
 */
public final class TopicAdmin {
  private static final int LEADER_TRIES = 300;
  private static final long LEADER_PAUSE_MS = 50;

  private final Admin admin;
  private final TopicNames names;
  private final TopicOptions options;
  private final Consumer<String> onRefusal;

  /** With the defaults. */
  public TopicAdmin(Admin admin, TopicNames names) {
    this(admin, names, TopicOptions.DEFAULT);
  }

  public TopicAdmin(Admin admin, TopicNames names, TopicOptions options) {
    this(admin, names, options, LoggerFactory.getLogger(TopicAdmin.class)::info);
  }

  /**
   * @param onRefusal receives a line for each topic that was created without settings, because the
   *     broker's policy refuses them
   */
  public TopicAdmin(
      Admin admin, TopicNames names, TopicOptions options, Consumer<String> onRefusal) {
    this.admin = admin;
    this.names = names;
    this.options = options;
    this.onRefusal = onRefusal;
  }

  /** All differences between cluster and plan, by topic. */
  public List<TopicDifference> verify() {
    return verify(OwnTopics.NONE);
  }

  /** Same as {@link #verify()}, and of topics that programs would make for themselves. */
  public List<TopicDifference> verify(OwnTopics own) {
    Replication replication = replication();
    List<TopicDifference> differences = new ArrayList<>();
    Map<String, TopicDescription> found = describe(names.all());
    Map<String, Map<String, String>> configs = configs(found.keySet());
    for (Topic topic : names.topics()) {
      TopicSettings plan = TopicPlan.of(topic, names, options, replication);
      TopicDescription description = found.get(plan.name());
      differences.addAll(
          description == null
              ? List.of(TopicComparison.missing(plan))
              : TopicComparison.compare(
                  plan, Role.of(topic), replication, description, configs.get(plan.name())));
    }
    for (String changelog : own.changelogs()) {
      differences.addAll(
          ownDifferences(
              TopicPlan.changelog(changelog, options, replication), Role.CHANGELOG, replication));
    }
    for (String marks : own.marks()) {
      differences.addAll(
          ownDifferences(TopicPlan.marks(marks, replication), Role.MARKS, replication));
    }
    return differences;
  }

  /** A program may not have the right to see a topic of another one. */
  private List<TopicDifference> ownDifferences(TopicSettings plan, Role role, Replication asked) {
    try {
      return id(plan.name()).isPresent()
          ? differences(plan, role, asked)
          : List.of(TopicComparison.notYet(plan));
    } catch (AuthorizationException e) {
      return List.of(TopicComparison.hidden(plan));
    }
  }

  /**
   * All differences of a changelog; empty if it does not exist yet, because the application creates
   * it.
   *
   * @throws TooFewBrokersException if it does not exist and the cluster has too few brokers for its
   *     replicas
   */
  public List<TopicDifference> verifyChangelog(String changelog) {
    Replication replication = replication();
    TopicSettings plan = TopicPlan.changelog(changelog, options, replication);
    List<TopicDifference> differences = differences(plan, Role.CHANGELOG, replication);
    if (differences.isEmpty() && id(changelog).isEmpty()) {
      replication.require(changelog, cluster());
    }
    return differences;
  }

  /** All differences of a redrive marks topic; empty if it does not exist. */
  public List<TopicDifference> verifyRedriven(String topic) {
    Replication replication = replication();
    return differences(TopicPlan.redriven(topic, replication), Role.MARKS, replication);
  }

  private List<TopicDifference> differences(TopicSettings plan, Role role, Replication asked) {
    TopicDescription found = describe(List.of(plan.name())).get(plan.name());
    return found == null
        ? List.of()
        : TopicComparison.compare(
            plan, role, asked, found, configs(List.of(plan.name())).get(plan.name()));
  }

  /**
   * Creates missing topics and waits until every partition has a leader.
   *
   * @return the names of the topics created here, in the order of the plan
   * @throws TooFewBrokersException if the cluster has too few brokers; then no topic was created
   */
  public List<String> createMissing() {
    return createMissing(OwnTopics.NONE);
  }

  /** Same as {@link #createMissing()}, and those that programs would make for themselves. */
  public List<String> createMissing(OwnTopics own) {
    Replication replication = replication();
    return createMissing(TopicPlan.of(names, own, options, replication), replication);
  }

  /** Creates missing changelogs. */
  public void createChangelogs(List<String> changelogs) {
    Replication replication = replication();
    createMissing(
        changelogs.stream().map(name -> TopicPlan.changelog(name, options, replication)).toList(),
        replication);
  }

  /** Creates a topic's redrive marks topic if it is missing. */
  public void createRedriven(String topic) {
    Replication replication = replication();
    createMissing(List.of(TopicPlan.redriven(topic, replication)), replication);
  }

  /** Creates the topic with the progress of imports, if it is missing. */
  public void createProgress(String topic) {
    Replication replication = replication();
    createMissing(List.of(TopicPlan.progress(topic, replication)), replication);
  }

  /** The replication factor on this cluster. */
  public Replication replication() {
    return Replication.of(options, cluster());
  }

  /** The topic id, which changes if the topic is recreated; empty if the topic does not exist. */
  public Optional<Uuid> id(String topic) {
    return Optional.ofNullable(describe(List.of(topic)).get(topic)).map(TopicDescription::topicId);
  }

  /** Number of partitions; 0 if the topic does not exist. */
  public int partitions(String topic) {
    TopicDescription found = describe(List.of(topic)).get(topic);
    return found == null ? 0 : found.partitions().size();
  }

  private List<String> createMissing(List<TopicSettings> plan, Replication replication) {
    Map<String, TopicDescription> found = describe(plan.stream().map(TopicSettings::name).toList());
    List<TopicSettings> missing =
        plan.stream().filter(topic -> !found.containsKey(topic.name())).toList();
    if (missing.isEmpty()) {
      return List.of();
    }
    Cluster cluster = cluster();
    missing.forEach(topic -> replication.require(topic.name(), cluster));
    Map<String, KafkaFuture<Void>> requests =
        admin.createTopics(missing.stream().map(TopicSettings::toNewTopic).toList()).values();
    List<String> created =
        missing.stream()
            .filter(topic -> isCreated(topic, requests.get(topic.name())))
            .map(TopicSettings::name)
            .toList();
    awaitLeaders(created);
    return created;
  }

  /** The topic's max.message.bytes. */
  public int maxMessageBytes(String topic) {
    return recordLimits(topic).maxBytes();
  }

  /** The record limits of a topic. */
  public RecordLimits recordLimits(String topic) {
    return RecordLimits.of(configs(List.of(topic)).get(topic));
  }

  private Cluster cluster() {
    Collection<Node> alive = KafkaFutures.await(admin.describeCluster().nodes());
    Set<Integer> brokers = new HashSet<>();
    alive.forEach(node -> brokers.add(node.id()));
    registered().forEach(node -> brokers.add(node.id()));
    // Brokers before 4.0 list live brokers only: the others still appear as replicas.
    for (TopicDescription topic : describe(names.all()).values()) {
      topic.partitions().forEach(p -> p.replicas().forEach(node -> brokers.add(node.id())));
    }
    return new Cluster(brokers.size(), defaultReplicas(alive));
  }

  private Collection<Node> registered() {
    try {
      return KafkaFutures.await(
          admin.describeCluster(new DescribeClusterOptions().includeFencedBrokers(true)).nodes());
    } catch (UnsupportedVersionException e) {
      return List.of();
    }
  }

  /** The cluster's default; 0 without the permission to read it. */
  private int defaultReplicas(Collection<Node> alive) {
    Optional<String> broker = alive.stream().findFirst().map(Node::idString);
    if (broker.isEmpty()) {
      return 0;
    }
    ConfigResource resource = new ConfigResource(ConfigResource.Type.BROKER, broker.get());
    try {
      ConfigEntry found =
          KafkaFutures.await(admin.describeConfigs(List.of(resource)).all())
              .get(resource)
              .get("default.replication.factor");
      return found == null || found.value() == null ? 0 : Integer.parseInt(found.value());
    } catch (AuthorizationException e) {
      return 0;
    }
  }

  /** Tries again without settings that a policy refuses, as long as Weir can do without them. */
  private boolean isCreated(TopicSettings topic, KafkaFuture<Void> request) {
    Set<String> refused = new TreeSet<>();
    TopicSettings asked = topic;
    KafkaFuture<Void> answer = request;
    while (true) {
      try {
        KafkaFutures.await(answer);
        if (!refused.isEmpty()) {
          onRefusal.accept(
              "topic "
                  + topic.name()
                  + ": the broker's policy refuses "
                  + String.join(", ", refused)
                  + "; created without: "
                  + RefusedSettings.COST);
        }
        return true;
      } catch (TopicExistsException e) {
        return false; // Another process has created it by the same plan.
      } catch (PolicyViolationException | InvalidConfigurationException e) {
        Set<String> next = RefusedSettings.of(asked, String.valueOf(e.getMessage()));
        if (next.isEmpty()) {
          throw e;
        }
        refused.addAll(next);
        asked = RefusedSettings.without(asked, next);
        answer = admin.createTopics(List.of(asked.toNewTopic())).values().get(topic.name());
      }
    }
  }

  private void awaitLeaders(List<String> topics) {
    for (int tries = 0; !haveLeaders(topics) || !answer(topics); tries++) {
      if (tries == LEADER_TRIES) {
        throw new KafkaException("topics were created but have no leaders yet: " + topics);
      }
      try {
        Thread.sleep(LEADER_PAUSE_MS);
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      }
    }
  }

  /**
   * A leader in the metadata may not have created its logs yet. Only a ready leader answers this
   * request, and the client retries until then; it stops if a broker does not know the topic yet.
   */
  private boolean answer(List<String> topics) {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (TopicDescription topic : describe(topics).values()) {
      for (TopicPartitionInfo partition : topic.partitions()) {
        ends.put(new TopicPartition(topic.name(), partition.partition()), OffsetSpec.latest());
      }
    }
    try {
      KafkaFutures.await(admin.listOffsets(ends).all());
      return true;
    } catch (UnknownTopicOrPartitionException e) {
      return false;
    }
  }

  private boolean haveLeaders(List<String> topics) {
    Map<String, TopicDescription> found = describe(topics);
    return found.size() == topics.size()
        && found.values().stream()
            .flatMap(topic -> topic.partitions().stream())
            .allMatch(partition -> partition.leader() != null && !partition.leader().isEmpty());
  }

  /** Descriptions of the existing topics. */
  private Map<String, TopicDescription> describe(Collection<String> topics) {
    Map<String, TopicDescription> found = new LinkedHashMap<>();
    admin
        .describeTopics(topics)
        .topicNameValues()
        .forEach(
            (name, future) -> {
              try {
                found.put(name, KafkaFutures.await(future));
              } catch (UnknownTopicOrPartitionException e) {
                // Omitted from the result.
              }
            });
    return found;
  }

  private Map<String, Map<String, String>> configs(Collection<String> topics) {
    List<ConfigResource> resources =
        topics.stream().map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name)).toList();
    Map<String, Map<String, String>> configs = new HashMap<>();
    KafkaFutures.await(admin.describeConfigs(resources).all())
        .forEach((resource, config) -> configs.put(resource.name(), values(config)));
    return configs;
  }

  private static Map<String, String> values(Config config) {
    return config.entries().stream()
        .filter(setting -> setting.value() != null)
        .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value));
  }
}
