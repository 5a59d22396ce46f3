package io.weir.cli.doctor;

import io.weir.app.WeirConfig;
import io.weir.cli.Exposition;
import io.weir.topic.KafkaFutures;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * What the checks look at: the cluster, two looks at offsets, and the metrics pages of the
 * processes. For one thread.
 *
 * @param topics those of Weir that are there and that this user may see, changelogs too
 * @param programs that read them; weir run first
 * @param reader of committed records, for a short while; to be closed by who opened it
 * @param pages of the processes that were asked
 */
record Examination(
    Admin admin,
    WeirConfig config,
    Map<String, TopicDescription> topics,
    List<Watched> programs,
    Supplier<KafkaConsumer<byte[], byte[]>> reader,
    Pages pages) {

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
      Pages pages) {
    List<Program> programs = Program.of(config);
    Map<String, TopicDescription> topics = topics(admin, config, programs);
    Set<TopicPartition> partitions = new HashSet<>();
    topics.forEach(
        (name, topic) ->
            topic.partitions().stream()
                .filter(partition -> partition.leader() != null && !partition.leader().isEmpty())
                .forEach(p -> partitions.add(new TopicPartition(name, p.partition()))));
    List<Watched> before = look(admin, partitions, programs);
    between.run();
    partitions.retainAll(before.get(0).after().end().keySet());
    List<Watched> after = look(admin, partitions, programs);
    List<Watched> watched = new ArrayList<>();
    for (int i = 0; i < programs.size(); i++) {
      watched.add(before.get(i).then(after.get(i)));
    }
    return new Examination(admin, config, topics, watched, reader, pages);
  }

  private static Map<String, TopicDescription> topics(
      Admin admin, WeirConfig config, List<Program> programs) {
    Set<String> names = new TreeSet<>(config.topics().all());
    programs.forEach(program -> names.addAll(program.changelogs().values()));
    names.retainAll(KafkaFutures.await(admin.listTopics().names()));
    return new TreeMap<>(KafkaFutures.await(admin.describeTopics(names).allTopicNames()));
  }

  private static List<Watched> look(
      Admin admin, Set<TopicPartition> partitions, List<Program> programs) {
    Offsets topics = Offsets.look(admin, partitions);
    return programs.stream().map(program -> Watched.of(admin, program, topics)).toList();
  }

  /** weir run. */
  Watched run() {
    return programs.get(0);
  }

  /** Programs whose groups this user may look at. */
  List<Watched> visible() {
    return programs.stream().filter(Watched::isVisible).toList();
  }

  Offsets before() {
    return run().before();
  }

  Offsets after() {
    return run().after();
  }

  Map<String, Exposition> metrics() {
    return pages.metrics();
  }

  /** The topic with the state of weir run. */
  String changelog() {
    return run().program().changelog(readings()).orElseThrow();
  }

  String readings() {
    return config.topics().readings();
  }
}
