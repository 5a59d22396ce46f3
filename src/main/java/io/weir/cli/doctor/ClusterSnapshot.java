package io.weir.cli.doctor;

import io.weir.internal.app.WeirConfig;
import io.weir.topic.KafkaFutures;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Topics, offsets and groups at one time.
 *
 * @param topics existing topics of Weir that this user may describe
 * @param silent partitions without a leader that answers
 * @param programs the programs at this time
 */
record ClusterSnapshot(
    Map<String, TopicDescription> topics,
    Set<TopicPartition> silent,
    List<ObservedProgram> programs) {

  static ClusterSnapshot now(Admin admin, WeirConfig config, List<Program> programs) {
    Map<String, TopicDescription> topics = topics(admin, config, programs);
    Offsets offsets = Offsets.look(admin, partitions(topics, true));
    Set<TopicPartition> silent = partitions(topics, false);
    silent.removeAll(offsets.end().keySet());
    return new ClusterSnapshot(
        topics,
        silent,
        programs.stream().map(program -> ObservedProgram.of(admin, program, offsets)).toList());
  }

  /** Combines the programs of this snapshot and a later one. */
  List<ObservedProgram> then(ClusterSnapshot later) {
    List<ObservedProgram> both = new ArrayList<>();
    for (int i = 0; i < programs.size(); i++) {
      both.add(programs.get(i).then(later.programs.get(i)));
    }
    return List.copyOf(both);
  }

  private static Map<String, TopicDescription> topics(
      Admin admin, WeirConfig config, List<Program> programs) {
    Set<String> names = new TreeSet<>(config.topics().all());
    programs.forEach(program -> names.addAll(program.changelogs().values()));
    names.retainAll(KafkaFutures.await(admin.listTopics().names()));
    Map<String, TopicDescription> topics = new TreeMap<>();
    admin
        .describeTopics(names)
        .topicNameValues()
        .forEach(
            (name, topic) -> {
              try {
                topics.put(name, KafkaFutures.await(topic));
              } catch (UnknownTopicOrPartitionException e) {
                return; // It was deleted in the meantime.
              }
            });
    return topics;
  }

  private static Set<TopicPartition> partitions(
      Map<String, TopicDescription> topics, boolean onlyLed) {
    Set<TopicPartition> partitions = new HashSet<>();
    topics.forEach(
        (name, topic) ->
            topic.partitions().stream()
                .filter(p -> !onlyLed || (p.leader() != null && !p.leader().isEmpty()))
                .forEach(p -> partitions.add(new TopicPartition(name, p.partition()))));
    return partitions;
  }
}
