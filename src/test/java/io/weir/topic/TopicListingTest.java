package io.weir.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicListingTest {
  private static final List<TopicSettings> TOPICS =
      List.of(
          new TopicSettings("weir.control", 1, (short) 3, Map.of("retention.ms", "-1")),
          new TopicSettings(
              "A_b-changelog",
              64,
              (short) 3,
              Map.of("cleanup.policy", "compact", "segment.bytes", "8388608")));

  @Test
  void kafka_isACommandForEachTopic() {
    assertThat(TopicListing.KAFKA.text(TOPICS, "k:9092").lines())
        .containsExactly(
            "kafka-topics.sh --bootstrap-server k:9092 --create --if-not-exists --topic"
                + " weir.control --partitions 1 --replication-factor 3 --config retention.ms=-1",
            "kafka-topics.sh --bootstrap-server k:9092 --create --if-not-exists --topic"
                + " A_b-changelog --partitions 64 --replication-factor 3"
                + " --config cleanup.policy=compact --config segment.bytes=8388608");
  }

  @Test
  void terraform_isAResourceForEachTopic() {
    assertThat(TopicListing.TERRAFORM.text(TOPICS, ""))
        .startsWith(
            """
            resource "kafka_topic" "weir_control" {
              name               = "weir.control"
              partitions         = 1
              replication_factor = 3
              config = {
                "retention.ms" = "-1"
              }
            }
            resource "kafka_topic" "A_b-changelog" {
            """);
  }

  @Test
  void strimzi_isAnObjectForEachTopic() {
    assertThat(TopicListing.STRIMZI.text(TOPICS, ""))
        .endsWith(
            """
            ---
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata:
              name: a-b-changelog
              labels:
                strimzi.io/cluster: my-cluster
            spec:
              topicName: A_b-changelog
              partitions: 64
              replicas: 3
              config:
                cleanup.policy: compact
                segment.bytes: 8388608"""
                .stripTrailing());
  }
}
