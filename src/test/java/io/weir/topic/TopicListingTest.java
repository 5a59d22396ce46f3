package io.weir.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.app.Acl;
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

  @Test
  void rights_areInTheSameForm() {
    List<Acl> rights =
        Acl.ofImport("weir-import-p", List.of("raw"), "weir.import.progress", TopicNames.ALL);
    assertThat(rights.stream().map(each -> each.text(TopicListing.KAFKA, "u", "k:9092")))
        .contains(
            "kafka-acls.sh --bootstrap-server k:9092 --add --allow-principal User:u --operation"
                + " Read --topic raw",
            "kafka-acls.sh --bootstrap-server k:9092 --add --allow-principal User:u --operation"
                + " DescribeConfigs --topic weir.readings",
            "kafka-acls.sh --bootstrap-server k:9092 --add --allow-principal User:u --operation"
                + " Write --transactional-id weir-import-p- --resource-pattern-type prefixed");
    Acl last = rights.get(rights.size() - 1);
    assertThat(last.text(TopicListing.TERRAFORM, "u", ""))
        .isEqualTo(
            """
            resource "kafka_acl" "u_Write_TransactionalId_weir-import-p-" {
              acl_principal                = "User:u"
              acl_host                     = "*"
              acl_permission_type          = "Allow"
              acl_operation                = "Write"
              resource_type                = "TransactionalID"
              resource_name                = "weir-import-p-"
              resource_pattern_type_filter = "Prefixed"
            }""");
    assertThat(last.text(TopicListing.STRIMZI, "u", ""))
        .isEqualTo(
            "      - resource: {type: transactionalId, name: weir-import-p-, patternType: prefix}\n"
                + "        operations: [Write]");
  }
}
