package io.weir.lab.chaos;

import io.weir.topic.TopicNames;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;

/** Moves the leaders of the readings from broker to broker, as rolling restarts do. */
final class Leaders {
  private Leaders() {}

  /** Each partition's next replica becomes its leader; does nothing where that cannot be now. */
  static void move(Admin admin) {
    String topic = TopicNames.DEFAULT.readings();
    try {
      TopicDescription description =
          admin.describeTopics(Set.of(topic)).allTopicNames().get().get(topic);
      Map<TopicPartition, Optional<NewPartitionReassignment>> next = new HashMap<>();
      description
          .partitions()
          .forEach(
              partition -> {
                List<Integer> replicas =
                    new ArrayList<>(partition.replicas().stream().map(Node::id).toList());
                Collections.rotate(replicas, -1);
                next.put(
                    new TopicPartition(topic, partition.partition()),
                    Optional.of(new NewPartitionReassignment(replicas)));
              });
      admin.alterPartitionReassignments(next).all().get();
      admin.electLeaders(ElectionType.PREFERRED, next.keySet()).partitions().get();
    } catch (ExecutionException e) {
      // A broker is down or on its way: leaders move by themselves then.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
