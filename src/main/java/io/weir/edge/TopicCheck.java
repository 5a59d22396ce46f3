package io.weir.edge;

import io.weir.topic.SensorPartition;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Checks the readings topic before the first send. It uses an admin client, because a producer's
 * metadata request creates a missing topic with the default number of partitions if brokers allow
 * that.
 */
final class TopicCheck {
  private static final long TIMEOUT_SECONDS = 20;
  private static final String LOG_APPEND_TIME = "LogAppendTime";

  private TopicCheck() {}

  /**
   * Returns if the topic exists and is valid.
   *
   * @throws RuntimeException if it is not, or brokers do not respond; the message names the remedy
   */
  static void check(Map<String, Object> producerSettings, String topic) {
    Map<String, Object> settings = new HashMap<>(producerSettings);
    settings.keySet().retainAll(AdminClientConfig.configNames());
    String servers = String.valueOf(settings.get(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG));
    Admin admin = Admin.create(settings);
    try {
      checkPartitions(admin, servers, topic);
      checkTimestamps(admin, servers, topic);
    } finally {
      // Otherwise it would wait up to a minute for pending responses.
      admin.close(Duration.ZERO);
    }
  }

  private static void checkPartitions(Admin admin, String servers, String topic) {
    int partitions;
    try {
      partitions =
          await(servers, admin.describeTopics(List.of(topic)).allTopicNames())
              .get(topic)
              .partitions()
              .size();
    } catch (UnknownTopicOrPartitionException e) {
      throw new IllegalStateException(
          "topic '" + topic + "' does not exist; create it with 'weir topics'", e);
    }
    if (partitions != SensorPartition.COUNT) {
      throw new IllegalStateException(
          "topic '%s' has %d partitions and must have %d; create it again with 'weir topics'"
              .formatted(topic, partitions, SensorPartition.COUNT));
    }
  }

  private static void checkTimestamps(Admin admin, String servers, String topic) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    ConfigEntry type;
    try {
      Config config = await(servers, admin.describeConfigs(List.of(resource)).all()).get(resource);
      type = config.get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG);
    } catch (AuthorizationException e) {
      // A gateway needs no DESCRIBE_CONFIGS permission; the application checks the settings too.
      return;
    }
    if (type != null && !LOG_APPEND_TIME.equals(type.value())) {
      throw new IllegalStateException(
          "topic '%s' has message.timestamp.type %s and must have %s; 'weir topics' says how"
              .formatted(topic, type.value(), LOG_APPEND_TIME));
    }
  }

  private static <T> T await(String servers, KafkaFuture<T> future) {
    try {
      return future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new KafkaException(e.getCause());
    } catch (TimeoutException e) {
      throw new org.apache.kafka.common.errors.TimeoutException(
          "no answer from the brokers at " + servers, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new org.apache.kafka.common.errors.InterruptException(e);
    }
  }
}
