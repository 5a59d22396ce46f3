package io.weir.internal.sink;

import io.weir.topic.KafkaFutures;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;

/** The topics and their mappings to tables. Safe for many threads. */
final class SinkTopics {
  private final Admin admin;
  private final Map<String, TableMapping> mappings;

  /**
   * @param mappings by the name of the topic
   */
  SinkTopics(Admin admin, Map<String, TableMapping> mappings) {
    this.admin = admin;
    this.mappings = new LinkedHashMap<>(mappings);
  }

  List<String> names() {
    return List.copyOf(mappings.keySet());
  }

  Collection<TableMapping> mappings() {
    return mappings.values();
  }

  Map<String, TableMapping> byName() {
    return mappings;
  }

  TableMapping mapping(String topic) {
    return mappings.get(topic);
  }

  /**
   * The current ids of the topics: a recreated topic has another id.
   *
   * @throws org.apache.kafka.common.KafkaException if one does not exist, or Kafka does not answer
   */
  Map<String, Uuid> ids(Collection<String> topics) {
    return KafkaFutures.await(requestIds(topics));
  }

  /** The same, without waiting. */
  KafkaFuture<Map<String, Uuid>> requestIds(Collection<String> topics) {
    return admin.describeTopics(topics).allTopicNames().thenApply(SinkTopics::idsOf);
  }

  private static Map<String, Uuid> idsOf(Map<String, TopicDescription> described) {
    Map<String, Uuid> ids = new HashMap<>();
    described.forEach((topic, description) -> ids.put(topic, description.topicId()));
    return ids;
  }
}
