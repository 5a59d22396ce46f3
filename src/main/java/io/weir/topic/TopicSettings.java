package io.weir.topic;

import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * The planned settings of a topic.
 *
 * @param name its name on the cluster
 * @param partitions exact number of partitions
 * @param replicas minimum number of replicas
 * @param config settings by their Kafka names
 */
public record TopicSettings(
    String name, int partitions, short replicas, Map<String, String> config) {
  public TopicSettings {
    config = Map.copyOf(config);
  }

  /** The request that creates it. */
  NewTopic toNewTopic() {
    return new NewTopic(name, partitions, replicas).configs(config);
  }
}
