package io.weir.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.lab.EmbeddedKafka;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
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

  /** The brokers of a cluster learn of a topic one after the other. */
  @Test
  void createMissing_whereABrokerDoesNotKnowTheTopicsYet_asksAgain() {
    AtomicInteger asked = new AtomicInteger();
    Admin behind =
        (Admin)
            Proxy.newProxyInstance(
                Admin.class.getClassLoader(),
                new Class<?>[] {Admin.class},
                (proxy, method, args) ->
                    method.getName().equals("listOffsets") && asked.getAndIncrement() < 2
                        ? unknown((Map<?, ?>) args[0])
                        : method.invoke(admin, args));
    TopicNames names = fewNames("behind");
    assertThat(new TopicAdmin(behind, names).createMissing()).isEqualTo(names.all());
    assertThat(asked).hasValue(3);
  }

  private static ListOffsetsResult unknown(Map<?, ?> partitions) {
    Map<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> answers = new HashMap<>();
    for (Object partition : partitions.keySet()) {
      KafkaFutureImpl<ListOffsetsResultInfo> answer = new KafkaFutureImpl<>();
      answer.completeExceptionally(new UnknownTopicOrPartitionException("not yet"));
      answers.put((TopicPartition) partition, answer);
    }
    return new ListOffsetsResult(answers);
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
    TopicNames names = fewNames("foreign");
    create(
        names.readings(),
        3,
        Map.of(
            "message.timestamp.type",
            "CreateTime",
            "retention.bytes",
            "1000",
            "retention.ms",
            "3600000"));
    TopicAdmin topics = new TopicAdmin(admin, names);
    assertThat(topics.createMissing())
        .hasSize(names.all().size() - 1)
        .doesNotContain(names.readings());
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
            line -> assertThat(line).contains("found retention.bytes=1000, expected 8388608000"),
            line -> assertThat(line).contains("found retention.ms=3600000, expected 259200000"));
    assertThat(topics.verify())
        .extracting(TopicDifference::isFatal)
        .containsExactly(true, true, false, false);
  }

  /** Without its order a reset is refused in a replay, though it was accepted before. */
  @Test
  void verify_ofOrdersThatAreDeletedSomeDay_isFatal() throws Exception {
    TopicNames names = fewNames("forgetful");
    create(names.control(), 1, Map.of("message.timestamp.type", "LogAppendTime"));
    TopicAdmin topics = new TopicAdmin(admin, names);
    topics.createMissing();
    assertThat(topics.verify())
        .filteredOn(TopicDifference::isFatal)
        .extracting(TopicDifference::toString)
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .contains("forgetful.control: found retention.ms=604800000, expected -1"));
  }

  @Test
  void verify_ofTooManyPartitions_doesNotAdviseToTakeSomeAway() throws Exception {
    TopicNames names = fewNames("many");
    create(names.windows(), 65, Map.of());
    TopicAdmin topics = new TopicAdmin(admin, names);
    topics.createMissing();
    assertThat(topics.verify().get(0).toString())
        .contains("found 65 partitions, expected 64; partitions cannot be removed");
  }

  @Test
  void changelog_thatDeletes_isFatal_andOneOfLargeSegmentsIsWarnedOf() throws Exception {
    TopicAdmin topics = new TopicAdmin(admin, names("state"));
    assertThat(topics.verifyChangelog("state-changelog")).isEmpty();
    create("state-changelog", 64, Map.of("cleanup.policy", "compact,delete"));

    List<TopicDifference> differences = topics.verifyChangelog("state-changelog");

    assertThat(differences.get(0).isFatal()).isTrue();
    assertThat(differences.get(0).toString())
        .startsWith(
            "topic state-changelog: found cleanup.policy=compact,delete, expected compact; set it"
                + " with: kafka-configs.sh");
    assertThat(differences.subList(1, differences.size()))
        .noneMatch(TopicDifference::isFatal)
        .extracting(TopicDifference::found)
        .anyMatch(found -> found.startsWith("segment.bytes="));
  }

  @Test
  void marks_thatAreDeletedAfterAWhile_areFatal() throws Exception {
    TopicAdmin topics = new TopicAdmin(admin, fewNames("marked"));
    topics.createMissing();
    topics.createRedriven(fewNames("marked").late());
    assertThat(topics.verifyRedriven(fewNames("marked").late())).isEmpty();
    create(fewNames("marked").deadLetters() + ".redriven", 1, Map.of("retention.ms", "1000"));

    assertThat(topics.verifyRedriven(fewNames("marked").deadLetters()))
        .singleElement()
        .matches(TopicDifference::isFatal)
        .asString()
        .contains("found retention.ms=1000, expected -1");
  }

  @Test
  void readings_thatAreCompacted_areFatal() throws Exception {
    create(fewNames("compacted").readings(), 64, Map.of("cleanup.policy", "compact"));
    TopicAdmin topics = new TopicAdmin(admin, fewNames("compacted"));
    topics.createMissing();

    assertThat(topics.verify())
        .filteredOn(TopicDifference::isFatal)
        .extracting(TopicDifference::found)
        .contains("cleanup.policy=compact");
  }

  @Test
  void fewerReplicasThanTheSettingAsks_areFatal_andNothingIsCreated() {
    TopicOptions three = TopicOptions.DEFAULT.withReplicationFactor(3);
    TopicNames names = fewNames("asked");
    assertThatThrownBy(() -> new TopicAdmin(admin, names, three).createMissing())
        .isInstanceOf(TooFewBrokersException.class)
        .hasMessageContaining("weir.replication.factor=3");
    assertThat(new TopicAdmin(admin, names).createMissing()).hasSameSizeAs(names.all());

    assertThat(new TopicAdmin(admin, names, three).verify())
        .filteredOn(TopicDifference::isFatal)
        .extracting(TopicDifference::found)
        .containsOnly("1 replica");
  }

  @Test
  void maxMessageBytes_ofDeadLetters_isRoomierThanThatOfReadings() {
    TopicNames names = fewNames("sizes");
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
    return names(prefix, topic -> true);
  }

  /** Without the topics that have to be switched on: each has 64 partitions to make. */
  private static TopicNames fewNames(String prefix) {
    return names(prefix, topic -> !topic.isOptional());
  }

  private static TopicNames names(String prefix, Predicate<Topic> which) {
    return new TopicNames(
        Stream.of(Topic.values())
            .filter(which)
            .collect(Collectors.toMap(topic -> topic, topic -> prefix + "." + topic.text())));
  }
}
