package io.weir.lab.chaos;

import io.weir.topic.Topic.User;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;

/**
 * Brokers in processes of their own, each a controller too. Clients find them through {@link
 * FlakyLink links}; brokers connect to each other directly, and so does the driver, which has a
 * listener of its own. With three of them topics have three replicas, two of them in sync.
 */
public final class ChaosCluster implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final Duration START_TIMEOUT = Duration.ofSeconds(90);
  private static final int PORTS_EACH = 3;

  private final List<BrokerNode> nodes = new ArrayList<>();
  private final List<Integer> ports;
  private final Admin admin;

  private ChaosCluster(int brokers, Path dir, Map<String, String> more) {
    ports = FreePorts.find(brokers * PORTS_EACH);
    String clusterId = Uuid.randomUuid().toString();
    for (int i = 0; i < brokers; i++) {
      FlakyLink link = FlakyLink.to(port(i, 0));
      List<String> settings = new ArrayList<>();
      Map<String, String> ofNode = settings(i, brokers, link.port());
      ofNode.putAll(more);
      ofNode.forEach((name, value) -> settings.add(name + "=" + value));
      nodes.add(
          new BrokerNode(
              clusterId,
              dir.resolve("broker-" + i),
              settings,
              dir.resolve("broker-" + i + ".log"),
              link));
    }
    nodes.forEach(BrokerNode::start);
    admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, direct()));
  }

  /**
   * Starts the brokers and makes Weir's topics.
   *
   * @param dir for their data and logs
   * @throws IllegalStateException if they are not up after a minute and a half
   */
  public static ChaosCluster start(int brokers, Path dir) {
    return start(brokers, dir, Map.of());
  }

  /** As {@link #start(int, Path)}, with further settings of brokers. */
  static ChaosCluster start(int brokers, Path dir, Map<String, String> more) {
    ChaosCluster cluster = new ChaosCluster(brokers, dir, more);
    try {
      cluster.awaitAllBrokers();
      new TopicAdmin(cluster.admin, TopicNames.ALL.of(User.RUN)).createMissing();
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private int port(int node, int which) {
    return ports.get(node * PORTS_EACH + which);
  }

  private Map<String, String> settings(int node, int brokers, int linkPort) {
    String replicas = Integer.toString(brokers);
    String inSync = Integer.toString(Math.max(1, brokers - 1));
    Map<String, String> settings = new HashMap<>();
    settings.put("node.id", Integer.toString(node + 1));
    settings.put(
        "controller.quorum.voters",
        IntStream.range(0, brokers)
            .mapToObj(i -> (i + 1) + "@" + HOST + ":" + port(i, 2))
            .collect(Collectors.joining(",")));
    settings.put(
        "listener.security.protocol.map",
        "CLIENTS:PLAINTEXT,DIRECT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    settings.put("inter.broker.listener.name", "DIRECT");
    settings.put(
        "listeners",
        "CLIENTS://%1$s:%2$d,DIRECT://%1$s:%3$d,CONTROLLER://%1$s:%4$d"
            .formatted(HOST, port(node, 0), port(node, 1), port(node, 2)));
    settings.put(
        "advertised.listeners",
        "CLIENTS://%1$s:%2$d,DIRECT://%1$s:%3$d".formatted(HOST, linkPort, port(node, 1)));
    for (String topic : List.of("offsets.topic", "transaction.state.log")) {
      settings.put(topic + ".replication.factor", replicas);
    }
    settings.put("share.coordinator.state.topic.replication.factor", replicas);
    settings.put("default.replication.factor", replicas);
    settings.put("min.insync.replicas", inSync);
    // Three brokers that fetch every small append at once leave a small machine no time for faults.
    settings.put("replica.fetch.min.bytes", "65536");
    settings.put("replica.fetch.wait.max.ms", "30");
    settings.put("transaction.state.log.min.isr", inSync);
    settings.put("share.coordinator.state.topic.min.isr", inSync);
    return settings;
  }

  /** What clients are given: the links. */
  String bootstrapServers() {
    return nodes.stream()
        .map(node -> HOST + ":" + node.link().port())
        .collect(Collectors.joining(","));
  }

  /** The way to the brokers that no fault is on. */
  public String direct() {
    return IntStream.range(0, nodes.size())
        .mapToObj(i -> HOST + ":" + port(i, 1))
        .collect(Collectors.joining(","));
  }

  /** A client that no fault is in the way of; closed with the cluster. */
  public Admin admin() {
    return admin;
  }

  /** A broker, from 0. */
  public BrokerNode node(int number) {
    return nodes.get(number);
  }

  /**
   * Sets all clocks to the most that one was ahead. The time of a partition does not go back:
   * behind it nothing more would come due until the clocks have passed it.
   */
  void alignClocks() {
    long aheadMs = nodes.stream().mapToLong(BrokerNode::mostAheadMs).max().orElse(0);
    nodes.forEach(node -> node.clock(aheadMs));
  }

  int size() {
    return nodes.size();
  }

  /** Whether every partition has all of its replicas in sync. */
  boolean isWhole() {
    try {
      if (admin.describeCluster().nodes().get().size() < nodes.size()) {
        return false;
      }
      for (TopicDescription topic :
          admin.describeTopics(admin.listTopics().names().get()).allTopicNames().get().values()) {
        for (TopicPartitionInfo partition : topic.partitions()) {
          if (partition.isr().size() < partition.replicas().size()) {
            return false;
          }
        }
      }
      return true;
    } catch (ExecutionException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void awaitAllBrokers() {
    if (!Waiting.until(START_TIMEOUT, this::isWhole)) {
      throw new IllegalStateException("the brokers are not up after " + START_TIMEOUT);
    }
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
    nodes.forEach(BrokerNode::close);
  }
}
