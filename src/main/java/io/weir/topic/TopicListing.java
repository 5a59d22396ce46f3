package io.weir.topic;

import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The planned topics as input of another tool, for teams whose users may not create topics. */
public enum TopicListing {
  /** Commands for a shell. */
  KAFKA {
    @Override
    String text(TopicSettings topic, String bootstrapServers) {
      return "kafka-topics.sh --bootstrap-server "
          + bootstrapServers
          + " --create --if-not-exists --topic "
          + topic.name()
          + " --partitions "
          + topic.partitions()
          + " --replication-factor "
          + topic.replicas()
          + config(topic, " --config %s=%s");
    }
  },
  /** Resources of the Terraform provider Mongey/kafka. */
  TERRAFORM {
    @Override
    String text(TopicSettings topic, String bootstrapServers) {
      return """
          resource "kafka_topic" "%s" {
            name               = "%s"
            partitions         = %d
            replication_factor = %d
            config = {%s
            }
          }"""
          .formatted(
              topic.name().replace('.', '_'),
              topic.name(),
              topic.partitions(),
              topic.replicas(),
              config(topic, "\n    \"%s\" = \"%s\""));
    }
  },
  /** Resources of Strimzi, for the cluster my-cluster. */
  STRIMZI {
    @Override
    String text(TopicSettings topic, String bootstrapServers) {
      return """
          ---
          apiVersion: kafka.strimzi.io/v1
          kind: KafkaTopic
          metadata:
            name: %s
            labels:
              strimzi.io/cluster: my-cluster
          spec:
            topicName: %s
            partitions: %d
            replicas: %d
            config:%s"""
          .formatted(
              topic.name().toLowerCase(Locale.ROOT).replace('_', '-'),
              topic.name(),
              topic.partitions(),
              topic.replicas(),
              config(topic, "\n    %s: %s"));
    }
  };

  /** All topics, each beginning on a line of its own. */
  public String text(List<TopicSettings> topics, String bootstrapServers) {
    return topics.stream()
        .map(topic -> text(topic, bootstrapServers))
        .collect(Collectors.joining("\n"));
  }

  abstract String text(TopicSettings topic, String bootstrapServers);

  private static String config(TopicSettings topic, String each) {
    return new TreeMap<>(topic.config())
        .entrySet().stream()
            .map(setting -> each.formatted(setting.getKey(), setting.getValue()))
            .collect(Collectors.joining());
  }
}
