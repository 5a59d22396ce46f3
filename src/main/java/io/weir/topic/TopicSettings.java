package io.weir.topic;

import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * What a topic is to be.
 *
 * @param name its name on the cluster
 * @param partitions exactly as many
 * @param replicas at least as many
 * @param config settings by their Kafka names
 */
public record TopicSettings(
    String name, int partitions, short replicas, Map<String, String> config) {
  public TopicSettings {
    config = Map.copyOf(config);
  }

  /** The request that creates it so. */
  NewTopic toNewTopic() {
    return new NewTopic(name, partitions, replicas).configs(config);
  }
}
