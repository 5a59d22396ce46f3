package io.weir.lab.chaos;

import io.weir.topic.SensorPartition;
import io.weir.topic.TopicNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Records of the readings that were deleted, kept for the oracle; and what operators do then. Safe
 * for several threads.
 */
final class Deletions {
  private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(60);

  /** Until the application has gone on behind the records that were deleted. */
  private static final Duration ACCEPT_TIMEOUT = Duration.ofSeconds(90);

  /** As an offset before which records are deleted. */
  private static final long END = -1;

  private final ChaosStage stage;
  private final Map<TopicPartition, NavigableMap<Long, ConsumerRecord<byte[], byte[]>>> deleted =
      new ConcurrentHashMap<>();

  Deletions(ChaosStage stage) {
    this.stage = stage;
  }

  /** Deletes records of one partition, some of them behind these offsets; where it begins then. */
  Map<TopicPartition, Long> delete(int target, Map<TopicPartition, Long> readTo) {
    try (CommittedTopic readings = new CommittedTopic(stage.cluster().direct())) {
      for (int i = 0; i < SensorPartition.COUNT; i++) {
        TopicPartition partition =
            new TopicPartition(
                TopicNames.DEFAULT.readings(), (target * 7 + i) % SensorPartition.COUNT);
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        readings.read(List.of(partition), records::add);
        long unread =
            records.stream()
                .filter(each -> each.offset() >= readTo.getOrDefault(partition, 0L))
                .count();
        if (unread > 1) {
          records.subList((int) (records.size() - unread / 2), records.size()).clear();
          long begin = records.get(records.size() - 1).offset() + 1;
          delete(partition, begin);
          keep(partition, records);
          return Map.of(partition, begin);
        }
      }
    }
    return Map.of();
  }

  private void delete(TopicPartition partition, long begin) {
    try {
      stage
          .cluster()
          .admin()
          .deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(begin)))
          .all()
          .get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void keep(TopicPartition partition, List<ConsumerRecord<byte[], byte[]>> records) {
    NavigableMap<Long, ConsumerRecord<byte[], byte[]>> kept =
        deleted.computeIfAbsent(partition, each -> new TreeMap<>());
    records.forEach(record -> kept.put(record.offset(), record));
  }

  /** Those of a partition. */
  List<ConsumerRecord<byte[], byte[]>> of(TopicPartition readings) {
    return List.copyOf(deleted.getOrDefault(readings, new TreeMap<>()).values());
  }

  /** Where the partitions begin that some were deleted of. */
  Map<TopicPartition, Long> begins() {
    Map<TopicPartition, Long> begins = new ConcurrentHashMap<>();
    deleted.forEach((partition, records) -> begins.put(partition, records.lastKey() + 1));
    return begins;
  }

  /** Deletes all that a partition of a compacted topic has. */
  void deleteAll(TopicPartition partition) {
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, partition.topic());
    try {
      // Of a topic that is only compacted no records can be deleted.
      policy(topic, TopicConfig.CLEANUP_POLICY_COMPACT + "," + TopicConfig.CLEANUP_POLICY_DELETE);
      delete(partition, END);
      policy(topic, TopicConfig.CLEANUP_POLICY_COMPACT);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void policy(ConfigResource topic, String policy)
      throws ExecutionException, InterruptedException {
    ConfigEntry entry = new ConfigEntry(TopicConfig.CLEANUP_POLICY_CONFIG, policy);
    stage
        .cluster()
        .admin()
        .incrementalAlterConfigs(
            Map.of(topic, List.of(new AlterConfigOp(entry, AlterConfigOp.OpType.SET))))
        .all()
        .get();
  }

  /** Accepts the loss of each partition of which some were deleted. */
  boolean accept() {
    return accept(Optional.empty());
  }

  /**
   * Accepts the loss of each such partition, and sends again what was withheld; whether it could.
   *
   * @param lost a partition whose state was lost
   */
  boolean accept(Optional<TopicPartition> lost) {
    Set<TopicPartition> all = new HashSet<>(begins().keySet());
    lost.ifPresent(all::add);
    boolean accepted = true;
    for (TopicPartition partition : all) {
      accepted &= accept(partition.partition());
    }
    return accepted && (all.isEmpty() || run("redrive", withheld()));
  }

  private List<String> withheld() {
    List<String> options = new ArrayList<>(List.of("late", "--reason=WITHHELD", "--returned"));
    options.add("--application-id=" + stage.lives().applicationId());
    options.add("--max-future-skew=" + ChaosSettings.MAX_FUTURE_SKEW.toMillis() + "ms");
    if (stage.settings().bug() == PlantedBug.REDRIVE_FORCED) {
      options.add("--force");
    }
    return options;
  }

  private boolean accept(int partition) {
    List<String> options = new ArrayList<>(List.of(stage.lives().applicationId(), "--yes"));
    options.add("--topic=" + TopicNames.DEFAULT.readings());
    options.add("--partition=" + partition);
    return Waiting.until(ACCEPT_TIMEOUT, () -> run("accept-loss", options));
  }

  /** Whether it could, or had before. */
  private boolean run(String command, List<String> options) {
    AtomicBoolean acceptedBefore = new AtomicBoolean();
    List<String> arguments = new ArrayList<>(List.of(command));
    arguments.addAll(options);
    arguments.add("--bootstrap-servers=" + stage.cluster().bootstrapServers());
    try (ChildProcess process =
        ChildProcess.start(
            Application.WEIR,
            "128m",
            arguments,
            new ChaosKeys(stage.settings(), stage.dir()).mastersOfReadings(),
            stage.dir().resolve(command + ".log"),
            line ->
                acceptedBefore.compareAndSet(
                    false, line.contains("or its loss was accepted before")))) {
      return Waiting.until(COMMAND_TIMEOUT, () -> !process.isAlive())
          && (process.exitValue() == 0 || acceptedBefore.get());
    }
  }
}
