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

/** A changelog that is much larger than the state: it is not compacted. */
final class ChangelogCheck implements Check {
  /** What a sensor takes at most in a changelog, one window open, its last changes with it. */
  private static final double BYTES_A_SENSOR = 1_000;

  /** Segments that are not compacted yet: 64 of 8 MiB, and some more of what comes meanwhile. */
  private static final double USUAL = 4.0 * 64 * (8 << 20);

  private final double usualBytes;

  ChangelogCheck() {
    this(USUAL);
  }

  /**
   * @param usualBytes what is there without any sensor, at the most
   */
  ChangelogCheck(double usualBytes) {
    this.usualBytes = usualBytes;
  }

  @Override
  public String name() {
    return "changelog";
  }

  @Override
  public List<Finding> look(Examination of) {
    double sensors = 0;
    for (Exposition page : of.metrics().values()) {
      sensors += page.sum("weir_sensors");
    }
    if (of.metrics().isEmpty() || of.config().windows().allowedLateness().toMillis() > 0) {
      return List.of(); // How large the state is nobody says.
    }
    long largest = bytes(of);
    double usual = usualBytes + 4 * sensors * BYTES_A_SENSOR;
    if (largest <= usual) {
      return List.of();
    }
    return List.of(
        risk(
            of.changelog()
                + " has "
                + PlanUnit.BYTES.write(largest)
                + " for "
                + PlanUnit.COUNT.write(sensors)
                + " sensors",
            "a process that takes over reads all of it: restores are long",
            "is the log cleaner of the brokers alive (log.cleaner.enable, its log)? segment.bytes"
                + " of 8 MiB lets it work sooner"));
  }

  /** Of one replica, the largest. */
  private static long bytes(Examination of) {
    Map<TopicPartition, Long> largest = new HashMap<>();
    List<Integer> brokers =
        KafkaFutures.await(of.admin().describeCluster().nodes()).stream().map(Node::id).toList();
    for (KafkaFuture<Map<String, LogDirDescription>> dirs :
        of.admin().describeLogDirs(brokers).descriptions().values()) {
      try {
        add(of.changelog(), KafkaFutures.await(dirs).values(), largest);
      } catch (RetriableException e) {
        continue; // A broker that just went away; others have its replicas too.
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
