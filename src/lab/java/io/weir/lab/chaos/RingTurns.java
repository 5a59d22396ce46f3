package io.weir.lab.chaos;

import com.google.protobuf.CodedInputStream;
import io.weir.topic.KafkaFutures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/**
 * How often the rings of a run's changelog came round: each record of changes has its number. Not
 * safe for several threads.
 */
final class RingTurns {
  private static final byte CHANGES = 'D';

  private static final Map<String, String> BROKERS = Map.of("log.cleaner.backoff.ms", "500");

  /**
   * Segments of seconds, and each is cleaned as soon as it is no longer written to. Tombstones stay
   * for longer than a broker or an application is away: otherwise a replica that comes back has
   * what was deleted.
   */
  private static final Map<String, String> CLEANED_SOON =
      Map.of(
          TopicConfig.SEGMENT_MS_CONFIG, "4000",
          TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, "0.001",
          TopicConfig.DELETE_RETENTION_MS_CONFIG, "300000");

  private final String changelog;
  private final Map<Integer, Long> byPartition = new TreeMap<>();
  private int slots;

  RingTurns(String applicationId) {
    changelog = applicationId + "-weir-state-changelog";
  }

  /** Settings of the brokers of a run with small rings. */
  static Map<String, String> brokers(ChaosSettings settings) {
    return settings.ring() == 0 ? Map.of() : BROKERS;
  }

  /** Lets the cleaner keep up with the changelog, which is there once a window came. */
  void cleanSoon(Admin admin) {
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, changelog);
    List<AlterConfigOp> settings =
        CLEANED_SOON.entrySet().stream()
            .map(each -> new ConfigEntry(each.getKey(), each.getValue()))
            .map(entry -> new AlterConfigOp(entry, AlterConfigOp.OpType.SET))
            .toList();
    KafkaFutures.await(admin.incrementalAlterConfigs(Map.of(topic, settings)).all());
  }

  /** Reads the changelog; a line about it. */
  String read(String bootstrapServers) {
    long[] records = new long[1];
    try (CommittedTopic topic = new CommittedTopic(bootstrapServers)) {
      Map<?, Long> ends =
          topic.read(
              changelog,
              record -> {
                records[0]++;
                read(record);
              });
      long written = ends.values().stream().mapToLong(Long::longValue).sum();
      return String.format(
          Locale.ROOT,
          "rings of %d slots: came round %,d times and more, %,d at the most; of %,d offsets of the"
              + " changelog %,d records are left",
          slots,
          byPartition.values().stream().mapToLong(Long::longValue).min().orElse(0),
          byPartition.values().stream().mapToLong(Long::longValue).max().orElse(0),
          written,
          records[0]);
    }
  }

  private void read(ConsumerRecord<byte[], byte[]> record) {
    if (record.key()[0] != CHANGES || record.value() == null) {
      return;
    }
    CodedInputStream in = CodedInputStream.newInstance(record.value());
    try {
      in.readUInt32();
      long number = in.readUInt64();
      slots = in.readUInt32();
      byPartition.merge(record.partition(), number / slots, Math::max);
    } catch (IOException e) {
      throw new UncheckedIOException(record.topic() + "-" + record.partition(), e);
    }
  }
}
