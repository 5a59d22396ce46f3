package io.weir.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.dev.EmbeddedKafka;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TopicAdminTest {
  private static EmbeddedKafka kafka;
  private static Admin admin;

  @BeforeAll
  static void start() {
    kafka = EmbeddedKafka.start();
    admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
  }

  @AfterAll
  static void stop() {
    admin.close();
    kafka.close();
  }

  @Test
  void createMissing_onAnEmptyCluster_leavesNothingToReport() {
    TopicAdmin topics = new TopicAdmin(admin, names("new"));
    assertThat(topics.createMissing()).isEqualTo(names("new").all());
    assertThat(topics.verify()).isEmpty();
    assertThat(topics.createMissing()).isEmpty();
  }

  @Test
  void verify_withoutTopics_isFatalForEach() {
    List<TopicDifference> differences = new TopicAdmin(admin, names("none")).verify();
    assertThat(differences).extracting(TopicDifference::topic).isEqualTo(names("none").all());
    assertThat(differences)
        .allSatisfy(d -> assertThat(d.isFatal()).isTrue())
        .allSatisfy(d -> assertThat(d.toString()).contains("no such topic", "weir topics"));
  }

  @Test
  void verify_ofAForeignReadingsTopic_namesEachDifferenceAndItsRemedy() throws Exception {
    TopicNames names = names("foreign");
    create(names.readings(), 3, Map.of("message.timestamp.type", "CreateTime"));
    TopicAdmin topics = new TopicAdmin(admin, names);
    assertThat(topics.createMissing()).hasSize(3).doesNotContain(names.readings());
    assertThat(topics.verify())
        .extracting(TopicDifference::toString)
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .isEqualTo(
                        "topic foreign.readings: found 3 partitions, expected 64; add the missing"
                            + " ones: kafka-topics.sh --alter --topic foreign.readings"
                            + " --partitions 64"),
            line ->
                assertThat(line)
                    .contains("found message.timestamp.type=CreateTime, expected LogAppendTime"),
            line -> assertThat(line).contains("found retention.bytes=-1, expected 8388608000"),
            line -> assertThat(line).contains("found retention.ms=604800000, expected 259200000"));
    assertThat(topics.verify())
        .extracting(TopicDifference::isFatal)
        .containsExactly(true, true, false, false);
  }

  @Test
  void verify_ofTooManyPartitions_doesNotAdviseToTakeSomeAway() throws Exception {
    TopicNames names = names("many");
    create(names.windows(), 65, Map.of());
    TopicAdmin topics = new TopicAdmin(admin, names);
    topics.createMissing();
    assertThat(topics.verify().get(0).toString())
        .contains("found 65 partitions, expected 64; partitions cannot be taken away");
  }

  @Test
  void maxMessageBytes_ofDeadLetters_isRoomierThanThatOfReadings() {
    TopicNames names = names("sizes");
    TopicAdmin topics = new TopicAdmin(admin, names);
    topics.createMissing();
    assertThat(topics.maxMessageBytes(names.deadLetters())).isEqualTo(2_097_152);
    assertThat(topics.maxMessageBytes(names.late())).isEqualTo(2_097_152);
    assertThat(topics.maxMessageBytes(names.readings())).isEqualTo(1_048_588);
  }

  @Test
  void maxMessageBytes_ofNoTopic_throws() {
    assertThatThrownBy(() -> new TopicAdmin(admin, TopicNames.DEFAULT).maxMessageBytes("nowhere"))
        .isInstanceOf(UnknownTopicOrPartitionException.class);
  }

  private static void create(String topic, int partitions, Map<String, String> config)
      throws Exception {
    NewTopic request = new NewTopic(topic, partitions, (short) 1).configs(config);
    admin.createTopics(List.of(request)).all().get();
  }

  private static TopicNames names(String prefix) {
    return new TopicNames(
        prefix + ".readings", prefix + ".windows", prefix + ".late", prefix + ".dead-letters");
  }
}
