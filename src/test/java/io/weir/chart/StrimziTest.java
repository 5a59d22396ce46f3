package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.strimzi.api.kafka.model.topic.KafkaTopic;
import io.strimzi.api.kafka.model.topic.KafkaTopicSpec;
import io.weir.topic.TopicNames;
import io.weir.topic.TopicPlan;
import io.weir.topic.TopicSettings;
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
