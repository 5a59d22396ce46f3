package io.weir.cli.doctor;

import io.weir.app.WeirConfig;
import io.weir.cli.pages.Exposition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * What the checks look at: the cluster, two looks at offsets, and the metrics pages of the
 * processes. For one thread.
 *
 * @param topics those of Weir that are there at the second look and that this user may see,
 *     changelogs too
 * @param silent partitions without a leader that answers at the second look
 * @param programs that read them; weir run first
 * @param reader of committed records, for a short while; to be closed by who opened it
 * @param pages of the processes that were asked
 */
record Examination(
    Admin admin,
    WeirConfig config,
    Map<String, TopicDescription> topics,
    Set<TopicPartition> silent,
    List<Watched> programs,
    Supplier<KafkaConsumer<byte[], byte[]>> reader,
    Pages pages) {

  /**
   * Looks, as often as {@link Looks} says.
   *
   * @param between is run between two looks: waits
   * @param pages asks the processes; before the first look, and after the last
   */
  static Examination of(
      Admin admin,
      WeirConfig config,
      Runnable between,
      Supplier<KafkaConsumer<byte[], byte[]>> reader,
      Supplier<Pages> pages) {
    List<Program> programs = Program.of(config);
    Pages first = pages.get();
    Looks looks = Looks.make(() -> Moment.now(admin, config, programs), between);
    return of(admin, config, looks, reader, pages.get().after(first));
  }

  /** Of looks that were made. */
  static Examination of(
      Admin admin,
      WeirConfig config,
      Looks looks,
      Supplier<KafkaConsumer<byte[], byte[]>> reader,
      Pages pages) {
    Moment last = looks.last();
    return new Examination(
        admin, config, last.topics(), last.silent(), looks.programs(), reader, pages);
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

  /** Whether a broker is missing, starts, or has not caught up: leaders move, and writers wait. */
  boolean isShortOfReplicas() {
    return !silent.isEmpty()
        || topics.values().stream()
            .flatMap(topic -> topic.partitions().stream())
            .anyMatch(partition -> partition.isr().size() < partition.replicas().size());
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
