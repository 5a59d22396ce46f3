package io.weir.dev.bench;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.InterruptException;
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
    List<Integer> brokers = await(admin.describeCluster().nodes()).stream().map(Node::id).toList();
    return await(admin.describeLogDirs(brokers).allDescriptions()).values().stream()
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
      Collection<String> topics = await(admin.listTopics().names());
      await(admin.deleteTopics(topics.stream().filter(t -> t.startsWith(prefix)).toList()).all());
      Collection<GroupListing> groups = await(admin.listGroups().valid());
      await(
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

  static <T> T await(KafkaFuture<T> future) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException kafka ? kafka : new KafkaException(e.getCause());
    }
  }
}
