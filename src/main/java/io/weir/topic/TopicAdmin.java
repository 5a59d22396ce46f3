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
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.NewTopic;
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
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * Weir's topics on a cluster: creates those that are missing, and holds all against the plan. Every
 * method asks the cluster, waits for at most the client's default.api.timeout.ms, and throws a
 * {@link KafkaException} where there is no answer. Safe for many threads; the {@link Admin} stays
 * the caller's to close.
 */
public final class TopicAdmin {
  private static final int LEADER_TRIES = 300;
  private static final long LEADER_PAUSE_MS = 50;

  private final Admin admin;
  private final TopicNames names;
  private final TopicOptions options;

  /** With the defaults. */
  public TopicAdmin(Admin admin, TopicNames names) {
    this(admin, names, TopicOptions.DEFAULT);
  }

  public TopicAdmin(Admin admin, TopicNames names, TopicOptions options) {
    this.admin = admin;
    this.names = names;
    this.options = options;
  }

  /** Every difference between cluster and plan, topic by topic; empty where there is none. */
  public List<TopicDifference> verify() {
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
    return differences;
  }

  /**
   * Every difference of a changelog; empty where there is none, and where there is none yet: Kafka
   * Streams creates it.
   *
   * @throws TooFewBrokersException if there is none, and the cluster could not hold its replicas
   */
  public List<TopicDifference> verifyChangelog(String changelog) {
    Replication replication = replication();
    TopicSettings plan = TopicPlan.changelog(changelog, replication);
    List<TopicDifference> differences = differences(plan, Role.CHANGELOG, replication);
    if (differences.isEmpty() && id(changelog).isEmpty()) {
      replication.require(changelog, cluster());
    }
    return differences;
  }

  /** Every difference of the topic with the marks of records sent again; empty where it is not. */
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
   * Creates what is missing and waits until every partition of it has a leader, so that a producer
   * does not meet it half born.
   *
   * @return the names of the topics created here, in the order of the plan
   * @throws TooFewBrokersException if the cluster cannot hold the replicas; none was created
   */
  public List<String> createMissing() {
    Replication replication = replication();
    return createMissing(TopicPlan.of(names, options, replication), replication);
  }

  /** Creates, if it is missing, the topic that holds which records of another were sent again. */
  public void createRedriven(String topic) {
    Replication replication = replication();
    createMissing(List.of(TopicPlan.redriven(topic, replication)), replication);
  }

  /** How many replicas topics are to have on this cluster. */
  public Replication replication() {
    return Replication.of(options, cluster());
  }

  /**
   * The id under which the cluster knows a topic, another one if it is recreated; empty where there
   * is no such topic.
   */
  public Optional<Uuid> id(String topic) {
    return Optional.ofNullable(describe(List.of(topic)).get(topic)).map(TopicDescription::topicId);
  }

  /** How many partitions a topic has; 0 where there is no such topic. */
  public int partitions(String topic) {
    TopicDescription found = describe(List.of(topic)).get(topic);
    return found == null ? 0 : found.partitions().size();
  }

  private List<String> createMissing(List<TopicSettings> plan, Replication replication) {
    Map<String, TopicDescription> found = describe(plan.stream().map(TopicSettings::name).toList());
    List<NewTopic> missing =
        plan.stream()
            .filter(topic -> !found.containsKey(topic.name()))
            .map(TopicSettings::toNewTopic)
            .toList();
    if (missing.isEmpty()) {
      return List.of();
    }
    Cluster cluster = cluster();
    missing.forEach(topic -> replication.require(topic.name(), cluster));
    Map<String, KafkaFuture<Void>> requests = admin.createTopics(missing).values();
    List<String> created =
        missing.stream().map(NewTopic::name).filter(name -> isCreated(requests.get(name))).toList();
    awaitLeaders(created);
    return created;
  }

  /**
   * The largest record batch that a topic of this cluster takes, in bytes: its max.message.bytes.
   */
  public int maxMessageBytes(String topic) {
    return recordLimits(topic).maxBytes();
  }

  /** Which records a topic of this cluster takes. */
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

  /** The cluster's own default; 0 where the user has no right to ask. */
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

  private static boolean isCreated(KafkaFuture<Void> request) {
    try {
      KafkaFutures.await(request);
      return true;
    } catch (TopicExistsException e) {
      return false; // Another one was faster, and made it by the same plan.
    }
  }

  private void awaitLeaders(List<String> topics) {
    for (int tries = 0; !haveLeaders(topics) || !answer(topics); tries++) {
      if (tries == LEADER_TRIES) {
        throw new KafkaException("created, but still without leaders: " + topics);
      }
      try {
        Thread.sleep(LEADER_PAUSE_MS);
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      }
    }
  }

  /**
   * A leader that the metadata names may still be making its logs; only a leader that is up answers
   * this, and the client asks until it does. A broker that does not know a topic yet, although
   * another one has, ends that.
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

  /** Descriptions of those topics that there are. */
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
                // Absent from the answer, then.
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
