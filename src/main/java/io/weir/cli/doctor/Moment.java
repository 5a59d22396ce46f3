package io.weir.cli.doctor;

import io.weir.app.WeirConfig;
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
 * One look at topics, offsets and groups.
 *
 * @param topics those of Weir that are there and that this user may see
 * @param silent partitions without a leader that answers
 * @param programs as they are now
 */
record Moment(
    Map<String, TopicDescription> topics, Set<TopicPartition> silent, List<Watched> programs) {

  static Moment now(Admin admin, WeirConfig config, List<Program> programs) {
    Map<String, TopicDescription> topics = topics(admin, config, programs);
    Offsets offsets = Offsets.look(admin, partitions(topics, true));
    Set<TopicPartition> silent = partitions(topics, false);
    silent.removeAll(offsets.end().keySet());
    return new Moment(
        topics,
        silent,
        programs.stream().map(program -> Watched.of(admin, program, offsets)).toList());
  }

  /** The programs at this moment and at a later one. */
  List<Watched> then(Moment later) {
    List<Watched> both = new ArrayList<>();
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
                return; // It was deleted meanwhile.
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
