package io.weir.cli.doctor;

import io.weir.cli.pages.Exposition;
import io.weir.cli.plan.PlanUnit;
import io.weir.topic.KafkaFutures;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.ReplicaInfo;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;

/** Finds a changelog that is much larger than the state, because it is not compacted. */
final class ChangelogCheck implements Check {
  /** Maximum size of a sensor in a changelog, with one open window and the last changes. */
  private static final double BYTES_A_SENSOR = 1_000;

  /**
   * Segments that are not compacted yet: 64 of 8 MiB, times 4 for records that arrive meanwhile.
   */
  private static final double USUAL = 4.0 * 64 * (8 << 20);

  private final double usualBytes;

  ChangelogCheck() {
    this(USUAL);
  }

  /**
   * @param usualBytes maximum size without sensors
   */
  ChangelogCheck(double usualBytes) {
    this.usualBytes = usualBytes;
  }

  @Override
  public String name() {
    return "changelog";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    double sensors = 0;
    for (Exposition page : cluster.metrics().values()) {
      sensors += page.sum("weir_sensors");
    }
    if (cluster.metrics().isEmpty()
        || cluster.config().windows().allowedLateness().toMillis() > 0) {
      return List.of(); // The size of the state is unknown.
    }
    long largest = bytes(cluster);
    double usual = usualBytes + 4 * sensors * BYTES_A_SENSOR;
    if (largest <= usual) {
      return List.of();
    }
    return List.of(
        risk(
            cluster.changelog()
                + " has "
                + PlanUnit.BYTES.write(largest)
                + " for "
                + PlanUnit.COUNT.write(sensors)
                + " sensors",
            "a process that restores the state reads all of it: restores take long",
            "check that the log cleaner of the brokers runs (log.cleaner.enable, its log); segment.bytes"
                + " of 8 MiB lets it compact sooner"));
  }

  /** The size of the largest replica. */
  private static long bytes(Examination cluster) {
    Map<TopicPartition, Long> largest = new HashMap<>();
    List<Integer> brokers =
        KafkaFutures.await(cluster.admin().describeCluster().nodes()).stream()
            .map(Node::id)
            .toList();
    for (KafkaFuture<Map<String, LogDirDescription>> dirs :
        cluster.admin().describeLogDirs(brokers).descriptions().values()) {
      try {
        add(cluster.changelog(), KafkaFutures.await(dirs).values(), largest);
      } catch (RetriableException e) {
        continue; // The broker just stopped; others have replicas too.
      }
    }
    return largest.values().stream().mapToLong(n -> n).sum();
  }

  private static void add(
      String changelog, Collection<LogDirDescription> dirs, Map<TopicPartition, Long> largest) {
    for (LogDirDescription dir : dirs) {
      for (Map.Entry<TopicPartition, ReplicaInfo> replica : dir.replicaInfos().entrySet()) {
        if (replica.getKey().topic().equals(changelog)) {
          largest.merge(replica.getKey(), replica.getValue().size(), Math::max);
        }
      }
    }
  }
}
