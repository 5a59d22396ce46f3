package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.strimzi.api.kafka.model.topic.KafkaTopic;
import io.strimzi.api.kafka.model.topic.KafkaTopicSpec;
import io.weir.topic.TopicNames;
import io.weir.topic.TopicPlan;
import io.weir.topic.TopicSettings;
import io.weir.topology.WeirTopology;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** That Strimzi makes what {@code weir topics} makes. */
class StrimziTest {
  @Test
  void topics_areThePlansOfACluster() {
    assertThat(topics("strimzi")).isEqualTo(TopicPlan.of(TopicNames.DEFAULT, 3));
  }

  @Test
  void topics_withoutCopies_areThePlansOfASingleBroker() {
    assertThat(topics("edge")).isEqualTo(TopicPlan.of(TopicNames.DEFAULT, 1));
  }

  /** The least: nothing works with one of them missing. */
  @Test
  void users_haveTheLeastRights() {
    assertThat(rights("weir"))
        .containsExactlyInAnyOrder(
            "topic literal weir.readings Read, DescribeConfigs",
            "topic literal weir.windows Write, DescribeConfigs",
            "topic literal weir.late Write, DescribeConfigs",
            "topic literal weir.dead-letters Write, DescribeConfigs",
            "topic literal weir-" + WeirTopology.STORE + "-changelog Create, Read, Write",
            "group literal weir Read",
            "transactionalId prefix weir- Write");
    assertThat(rights("weir-edge")).containsExactly("topic literal weir.readings Write");
  }

  /** A line for each entry of a user's list. */
  private static List<String> rights(String user) {
    Manifest manifest =
        Manifest.all(HelmChart.render(HelmChart.ciFile("strimzi"))).stream()
            .filter(found -> found.kind().equals("KafkaUser") && found.name().equals(user))
            .findFirst()
            .orElseThrow();
    return YamlTree.list(manifest.at("spec", "authorization", "acls")).stream()
        .map(
            acl ->
                YamlTree.at(acl, "resource", "type")
                    + " "
                    + YamlTree.at(acl, "resource", "patternType")
                    + " "
                    + YamlTree.at(acl, "resource", "name")
                    + " "
                    + String.join(", ", YamlTree.texts(YamlTree.at(acl, "operations"))))
        .toList();
  }

  /** The topics of a render, told as Weir tells them. */
  private static List<TopicSettings> topics(String ciFile) {
    return Manifest.all(HelmChart.render(HelmChart.ciFile(ciFile))).stream()
        .filter(manifest -> manifest.kind().equals("KafkaTopic"))
        .map(manifest -> ((KafkaTopic) TypedManifest.read(manifest)).getSpec())
        .map(StrimziTest::settings)
        .toList();
  }

  private static TopicSettings settings(KafkaTopicSpec topic) {
    return new TopicSettings(
        topic.getTopicName(),
        topic.getPartitions(),
        topic.getReplicas().shortValue(),
        topic.getConfig().entrySet().stream()
            .collect(
                Collectors.toMap(
                    entry -> entry.getKey(),
                    entry -> entry.getValue().toString(),
                    (a, b) -> a,
                    TreeMap::new)));
  }
}
