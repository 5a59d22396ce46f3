package io.weir.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.topic.Topic.User;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicPlanTest {
  private static final Replication THREE = new Replication((short) 3, false, "three brokers");

  @ParameterizedTest
  @CsvSource({"1,1", "2,1", "3,2", "5,2"})
  void plan_byReplicas_says_howManyAreInSync(short replicas, String minInSync) {
    assertThat(
            TopicPlan.of(
                TopicNames.DEFAULT,
                TopicOptions.DEFAULT,
                new Replication(replicas, true, "a setting")))
        .hasSize(5)
        .allSatisfy(topic -> assertThat(topic.replicas()).isEqualTo(replicas))
        .allSatisfy(
            topic -> assertThat(topic.config()).containsEntry("min.insync.replicas", minInSync));
  }

  @Test
  void plan_ofEveryTopic_has64PartitionsAndAppendTime_butOneOfOrders() {
    assertThat(TopicPlan.of(TopicNames.DEFAULT, TopicOptions.DEFAULT, Replication.NONE))
        .allSatisfy(
            topic ->
                assertThat(topic.config()).containsEntry("message.timestamp.type", "LogAppendTime"))
        .extracting(topic -> topic.partitions() + " " + topic.config().get("retention.ms"))
        .containsExactly("64 259200000", "64 2592000000", "64 1209600000", "64 1209600000", "1 -1");
  }

  @Test
  void plan_ofLastSummaries_compactsAndDeletes() {
    TopicNames names = TopicNames.DEFAULT.with(Topic.LATEST, "weir.latest");
    assertThat(TopicPlan.of(names, TopicOptions.DEFAULT, Replication.NONE))
        .filteredOn(topic -> topic.name().equals("weir.latest"))
        .singleElement()
        .satisfies(
            topic ->
                assertThat(topic.config())
                    .containsEntry("cleanup.policy", "compact,delete")
                    .containsEntry("retention.ms", "2592000000"));
  }

  @Test
  void plan_ofKeys_isThatOfSensors() {
    assertThat(TopicPlan.of(TopicNames.ALL, TopicOptions.DEFAULT, Replication.NONE))
        .filteredOn(topic -> topic.name().matches("weir.(events|scheduled|folded|groups)"))
        .hasSize(4)
        .allSatisfy(topic -> assertThat(topic.partitions()).isEqualTo(64));
  }

  @Test
  void names_ofAUser_areThoseItReadsOrWrites() {
    assertThat(TopicNames.ALL.of(User.EVENTS).topics())
        .contains(Topic.EVENTS, Topic.SCHEDULED, Topic.FOLDED, Topic.DEAD_LETTERS, Topic.CONTROL)
        .doesNotContain(Topic.READINGS, Topic.LATE);
    assertThat(TopicNames.DEFAULT.of(User.PUBLISHER).topics()).isEmpty();
  }

  @Test
  void readings_overAllPartitions_areKeptUpTo500GiB() {
    TopicSettings readings = TopicPlan.of(TopicNames.DEFAULT, TopicOptions.DEFAULT, THREE).get(0);
    long bytesPerPartition = Long.parseLong(readings.config().get("retention.bytes"));
    assertThat(bytesPerPartition * 64).isEqualTo(500L * 1024 * 1024 * 1024);
  }

  @Test
  void everyTopicThatGatewaysFill_hasABoundInBytes() {
    assertThat(TopicPlan.of(TopicNames.DEFAULT, TopicOptions.DEFAULT, THREE).subList(0, 4))
        .extracting(topic -> Long.parseLong(topic.config().get("retention.bytes")))
        .allSatisfy(bytes -> assertThat(bytes).isPositive());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "a b", "ä", "a/b"})
  void names_thatKafkaRefuses_areRefused(String name) {
    assertThatThrownBy(() -> new TopicNames(name, "w", "l", "d"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void names_thatStandTwice_areRefused() {
    assertThatThrownBy(() -> new TopicNames("a", "b", "a", "c"))
        .hasMessageContaining(List.of("a", "b", "a", "c", "weir.control").toString());
  }
}
