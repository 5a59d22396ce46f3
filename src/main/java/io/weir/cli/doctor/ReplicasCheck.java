package io.weir.cli.doctor;

import io.weir.topic.KafkaFutures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Finds partitions without a leader that answers, below min.insync.replicas, or with replicas
 * behind.
 */
final class ReplicasCheck implements Check {
  @Override
  public String name() {
    return "replicas";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    List<String> leaderless = new ArrayList<>();
    List<String> tooFew = new ArrayList<>();
    List<String> behind = new ArrayList<>();
    Set<Integer> brokersBehind = new TreeSet<>();
    Map<String, Integer> least = leastInSync(cluster);
    cluster
        .topics()
        .forEach(
            (name, topic) -> {
              for (TopicPartitionInfo partition : topic.partitions()) {
                String where = name + "-" + partition.partition();
                partition.replicas().stream()
                    .filter(broker -> !partition.isr().contains(broker))
                    .forEach(broker -> brokersBehind.add(broker.id()));
                if (cluster.silent().contains(new TopicPartition(name, partition.partition()))) {
                  leaderless.add(where);
                } else if (partition.isr().size() < least.getOrDefault(name, 1)) {
                  tooFew.add(where);
                } else if (partition.isr().size() < partition.replicas().size()) {
                  behind.add(where);
                }
              }
            });
    String brokers =
        (brokersBehind.size() == 1 ? "broker " : "brokers ")
            + Offsets.list(brokersBehind, id -> Integer.toString(id));
    List<Finding> findings = new ArrayList<>();
    if (!leaderless.isEmpty()) {
      findings.add(
          broken(
              leaderless.size()
                  + " partitions without a leader that answers: "
                  + Offsets.list(leaderless, w -> w),
              "no client can write to them or read from them",
              "start their brokers: kafka-topics.sh --describe --unavailable-partitions"));
    }
    if (!tooFew.isEmpty()) {
      findings.add(
          broken(
              tooFew.size()
                  + " partitions with fewer replicas in sync than min.insync.replicas"
                  + (brokersBehind.isEmpty() ? ": " : ", without " + brokers + ": ")
                  + Offsets.list(tooFew, w -> w),
              "producers with acks=all, such as gateways and weir run, cannot write",
              "start the missing brokers: kafka-topics.sh --describe --under-min-isr-partitions; or lower min.insync.replicas below the number of replicas"));
    }
    if (!behind.isEmpty()) {
      findings.add(
          risk(
              behind.size()
                  + " partitions with replicas behind, on "
                  + brokers
                  + ": "
                  + Offsets.list(behind, w -> w),
              "the loss of another broker may lose data, or stop producers",
              "usual while a broker restarts; otherwise start "
                  + brokers
                  + ", or check its log: kafka-topics.sh --describe --under-replicated-partitions"
                  + " shows when it has caught up"));
    }
    return findings;
  }

  private static Map<String, Integer> leastInSync(Examination cluster) {
    List<ConfigResource> topics =
        cluster.topics().keySet().stream()
            .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
            .toList();
    Map<String, Integer> least = new HashMap<>();
    KafkaFutures.await(cluster.admin().describeConfigs(topics).all())
        .forEach(
            (topic, config) ->
                least.put(
                    topic.name(),
                    Integer.valueOf(config.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG).value())));
    return least;
  }
}
