package io.weir.cli.doctor;

import io.weir.app.WeirConfig;
import io.weir.cli.Exposition;
import io.weir.cli.hot.HotReport;
import io.weir.topic.KafkaFutures;
import io.weir.topology.WeirTopology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * What the checks look at: the cluster, two looks at offsets, and what processes tell of
 * themselves. For one thread.
 *
 * @param topics those of Weir that are there, the changelog too
 * @param before offsets at the first look
 * @param after offsets at the second
 * @param group empty where there is none
 * @param reader of committed records, for a short while; to be closed by who opened it
 * @param metrics of each process that was asked, by its address
 * @param hot what weighs most, where processes were asked
 */
record Examination(
    Admin admin,
    WeirConfig config,
    Map<String, TopicDescription> topics,
    Offsets before,
    Offsets after,
    Optional<ConsumerGroupDescription> group,
    Supplier<KafkaConsumer<byte[], byte[]>> reader,
    Map<String, Exposition> metrics,
    Optional<HotReport> hot) {

  /**
   * Looks twice.
   *
   * @param between is run between the two looks: waits
   */
  static Examination of(
      Admin admin,
      WeirConfig config,
      Runnable between,
      Supplier<KafkaConsumer<byte[], byte[]>> reader,
      Map<String, Exposition> metrics,
      Optional<HotReport> hot) {
    List<String> names = new ArrayList<>(config.topics().all());
    names.add(changelog(config));
    names.retainAll(KafkaFutures.await(admin.listTopics().names()));
    Map<String, TopicDescription> topics =
        new TreeMap<>(KafkaFutures.await(admin.describeTopics(names).allTopicNames()));
    List<TopicPartition> partitions = new ArrayList<>();
    topics.forEach(
        (name, topic) ->
            topic.partitions().stream()
                .filter(partition -> partition.leader() != null && !partition.leader().isEmpty())
                .forEach(p -> partitions.add(new TopicPartition(name, p.partition()))));
    Offsets before = Offsets.look(admin, partitions, config.applicationId());
    between.run();
    Offsets after = Offsets.look(admin, partitions, config.applicationId());
    return new Examination(
        admin,
        config,
        topics,
        before,
        after,
        group(admin, config.applicationId()),
        reader,
        metrics,
        hot);
  }

  private static Optional<ConsumerGroupDescription> group(Admin admin, String id) {
    try {
      return Optional.ofNullable(
          KafkaFutures.await(admin.describeConsumerGroups(List.of(id)).all()).get(id));
    } catch (GroupIdNotFoundException e) {
      return Optional.empty();
    }
  }

  /** The topic of the application's state. */
  static String changelog(WeirConfig config) {
    return config.applicationId() + "-" + WeirTopology.STORE + "-changelog";
  }

  String changelog() {
    return changelog(config);
  }

  String readings() {
    return config.topics().readings();
  }

  /** The member that has a partition, for messages: client id and host. */
  String owner(TopicPartition partition) {
    return group.stream()
        .flatMap(of -> of.members().stream())
        .filter(member -> member.assignment().topicPartitions().contains(partition))
        .map(member -> member.clientId() + " on " + member.host())
        .findFirst()
        .orElse("nobody");
  }
}
