package io.weir.lab.bench;

import io.weir.topic.KafkaFutures;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Questions to the broker, and the tidying up behind a run. */
final class Cluster {
  private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);

  private Cluster() {}

  /** What the brokers keep of a topic. */
  static long bytesOf(Admin admin, String topic) {
    return bytesByTopic(admin).getOrDefault(topic, 0L);
  }

  /** What the brokers keep of each topic, Kafka's own too. */
  static Map<String, Long> bytesByTopic(Admin admin) {
    List<Integer> brokers =
        KafkaFutures.await(admin.describeCluster().nodes()).stream().map(Node::id).toList();
    return KafkaFutures.await(admin.describeLogDirs(brokers).allDescriptions()).values().stream()
        .flatMap(dirs -> dirs.values().stream())
        .flatMap(dir -> dir.replicaInfos().entrySet().stream())
        .collect(
            Collectors.groupingBy(
                replica -> replica.getKey().topic(),
                Collectors.summingLong(replica -> replica.getValue().size())));
  }

  /** Removes topics and groups whose names begin so; what cannot be removed is left. */
  static void removeAll(Admin admin, String prefix) {
    try {
      Collection<String> topics = KafkaFutures.await(admin.listTopics().names());
      KafkaFutures.await(
          admin.deleteTopics(topics.stream().filter(t -> t.startsWith(prefix)).toList()).all());
      Collection<GroupListing> groups = KafkaFutures.await(admin.listGroups().valid());
      KafkaFutures.await(
          admin
              .deleteConsumerGroups(
                  groups.stream()
                      .map(GroupListing::groupId)
                      .filter(g -> g.startsWith(prefix))
                      .toList())
              .all());
    } catch (KafkaException e) {
      LOG.debug("not removed: {}", prefix, e);
    }
  }
}
