package io.weir.cli.doctor;

import io.weir.cli.pages.Exposition;
import io.weir.internal.app.WeirConfig;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * The input of the checks: the cluster, two samples of offsets, and the metrics pages of the
 * processes. For one thread.
 *
 * @param topics existing topics of Weir at the second sample that this user may describe, with
 *     changelogs
 * @param silent partitions without a leader that answers at the second sample
 * @param programs the programs that read them; weir run first
 * @param reader creates a short-lived read_committed consumer; its user closes it
 * @param pages metrics pages of the processes
 */
record Examination(
    Admin admin,
    WeirConfig config,
    Map<String, TopicDescription> topics,
    Set<TopicPartition> silent,
    List<ObservedProgram> programs,
    Supplier<KafkaConsumer<byte[], byte[]>> reader,
    Pages pages) {

  /**
   * Takes the samples, as {@link ClusterSamples} does.
   *
   * @param between runs between two samples: waits
   * @param pages fetches the metrics pages, before the first sample and after the last
   */
  static Examination of(
      Admin admin,
      WeirConfig config,
      Runnable between,
      Supplier<KafkaConsumer<byte[], byte[]>> reader,
      Supplier<Pages> pages) {
    List<Program> programs = Program.of(config);
    Pages first = pages.get();
    ClusterSamples looks =
        ClusterSamples.make(() -> ClusterSnapshot.now(admin, config, programs), between);
    return of(admin, config, looks, reader, pages.get().after(first));
  }

  /** From existing samples. */
  static Examination of(
      Admin admin,
      WeirConfig config,
      ClusterSamples looks,
      Supplier<KafkaConsumer<byte[], byte[]>> reader,
      Pages pages) {
    ClusterSnapshot last = looks.last();
    return new Examination(
        admin, config, last.topics(), last.silent(), looks.programs(), reader, pages);
  }

  /** weir run. */
  ObservedProgram run() {
    return programs.get(0);
  }

  /** Programs whose groups this user may describe. */
  List<ObservedProgram> visible() {
    return programs.stream().filter(ObservedProgram::isVisible).toList();
  }

  Offsets before() {
    return run().before();
  }

  Offsets after() {
    return run().after();
  }

  /** Whether replicas are missing or behind: leaders move, and producers wait. */
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

  /**
   * Samples of a cluster: two, and a third one if partitions seem to stall. On a busy machine, or
   * while leaders move, they may stall for some seconds.
   *
   * @param last the last sample
   * @param programs the programs at the first and the last sample
   */
  record ClusterSamples(ClusterSnapshot last, List<ObservedProgram> programs) {
    private static final int MOST = 3;

    /**
     * Takes the samples.
     *
     * @param look takes one sample
     * @param between runs between two samples: waits
     */
    static ClusterSamples make(Supplier<ClusterSnapshot> look, Runnable between) {
      ClusterSnapshot first = look.get();
      ClusterSamples looks;
      int made = 1;
      do {
        between.run();
        ClusterSnapshot last = look.get();
        looks = new ClusterSamples(last, first.then(last));
        made++;
      } while (made < MOST && looks.seemToStall());
      return looks;
    }

    private boolean seemToStall() {
      return programs.stream().anyMatch(program -> !program.stalled().isEmpty());
    }
  }
}
