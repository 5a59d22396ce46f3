package io.weir.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.lab.EmbeddedKafka;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.server.policy.CreateTopicPolicy.RequestMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Topics on brokers that refuse some of their settings, as managed clouds do. */
class ManagedCloudTest {
  private static final Replication THREE = new Replication((short) 3, true, "test");

  private static TopicNames names(CloudPolicy.Cloud cloud) {
    TopicNames names = TopicNames.ALL;
    for (Topic topic : Topic.values()) {
      names = names.with(topic, name(cloud, topic.text()));
    }
    return names;
  }

  private static String name(CloudPolicy.Cloud cloud, String topic) {
    return cloud.name().toLowerCase(Locale.ROOT) + "." + topic;
  }

  private static OwnTopics own(CloudPolicy.Cloud cloud) {
    return new OwnTopics(List.of(name(cloud, "changelog")), List.of(name(cloud, "late.redriven")));
  }

  /** Every topic can be created, with all settings that results and durability depend on. */
  @ParameterizedTest
  @EnumSource(CloudPolicy.Cloud.class)
  void everyTopic_isAccepted_withTheSettingsThatItNeeds(CloudPolicy.Cloud cloud) {
    CloudPolicy policy = new CloudPolicy();
    for (TopicSettings plan : TopicPlan.of(names(cloud), own(cloud), TopicOptions.DEFAULT, THREE)) {
      TopicSettings accepted = accepted(policy, plan);
      Set<String> needed =
          Set.of(
              TopicConfig.CLEANUP_POLICY_CONFIG,
              TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
              TopicConfig.RETENTION_MS_CONFIG,
              TopicConfig.RETENTION_BYTES_CONFIG,
              TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
      for (String name : needed) {
        assertThat(accepted.config().get(name))
            .as(plan.name() + " " + name)
            .isEqualTo(plan.config().get(name));
      }
    }
  }

  private static TopicSettings accepted(CloudPolicy policy, TopicSettings plan) {
    TopicSettings asked = plan;
    while (true) {
      try {
        policy.validate(
            new RequestMetadata(
                asked.name(), asked.partitions(), asked.replicas(), null, asked.config()));
        return asked;
      } catch (PolicyViolationException e) {
        Set<String> refused = RefusedSettings.of(asked, e.getMessage());
        assertThat(refused).as(e.getMessage()).isNotEmpty();
        asked = RefusedSettings.without(asked, refused);
      }
    }
  }

  /** What the cloud permits stays: only the bound that is broken is given up. */
  @Test
  void aRefusalThatNamesItsSetting_costsThatSettingAlone() {
    TopicSettings changelog = TopicPlan.changelog("confluent.c", TopicOptions.DEFAULT, THREE);

    assertThat(accepted(new CloudPolicy(), changelog).config())
        .containsEntry(TopicConfig.SEGMENT_MS_CONFIG, "600000")
        .containsEntry(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, "2")
        .doesNotContainKeys(
            TopicConfig.SEGMENT_BYTES_CONFIG, TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG);
  }

  @Test
  void aSettingThatResultsDependOn_isNeverGivenUp() {
    TopicSettings readings =
        TopicPlan.of(Topic.READINGS, TopicNames.DEFAULT, TopicOptions.DEFAULT, THREE);
    TopicSettings bare =
        RefusedSettings.without(readings, Set.of(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG));

    assertThat(RefusedSettings.of(bare, "message.timestamp.type is not configurable")).isEmpty();
  }

  @Test
  @Timeout(240)
  void admin_createsAndVerifiesThem_andSaysOnceWhatWasRefused() throws Exception {
    TopicNames names =
        TopicNames.DEFAULT.without(
            Stream.of(Topic.values()).filter(topic -> topic != Topic.CONTROL).toList());
    OwnTopics own = own(CloudPolicy.Cloud.CONFLUENT);
    List<String> said = new ArrayList<>();
    EmbeddedKafka.Options options =
        EmbeddedKafka.Options.DEFAULT.withOverrides(
            Map.of("create.topic.policy.class.name", CloudPolicy.class.getName()));
    try (EmbeddedKafka kafka = EmbeddedKafka.start(options);
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      TopicAdmin topics =
          new TopicAdmin(
              admin,
              names.with(Topic.CONTROL, "confluent.control"),
              TopicOptions.DEFAULT.withReplicationFactor(1),
              said::add);

      assertThat(topics.verify(own))
          .extracting(TopicDifference::topic)
          .containsExactly("confluent.control", "confluent.changelog", "confluent.late.redriven");
      assertThat(topics.createMissing(own))
          .containsExactly("confluent.control", "confluent.changelog", "confluent.late.redriven");
      assertThat(said)
          .singleElement()
          .asString()
          .contains("confluent.changelog", "max.compaction.lag.ms, segment.bytes");
      assertThat(topics.verify(own))
          .isNotEmpty()
          .allMatch(TopicDifference::isNote)
          .extracting(TopicDifference::topic)
          .containsOnly("confluent.changelog");
      assertThat(topics.createMissing(own)).isEmpty();
      assertThat(said).hasSize(1);
      assertThatThrownBy(
              () ->
                  new TopicAdmin(
                          admin,
                          TopicNames.DEFAULT
                              .without(TopicNames.DEFAULT.topics())
                              .with(Topic.LATE, "msk.tiered.late"),
                          TopicOptions.DEFAULT.withReplicationFactor(3))
                      .createMissing())
          .isInstanceOf(TooFewBrokersException.class);
    }
  }
}
